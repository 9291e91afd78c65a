import { Highlighter } from "lucide-react";
import { Link } from "wouter";
import type { Library, ListedMedia, Media } from "../../api/types";
import { kindOf } from "../../shared/kinds";
import { paths } from "../../shared/paths";
import { cx } from "../../ui/cx";
import { Time } from "../../ui/Time";
import { ItemMenu } from "./ItemMenu";
import styles from "./Items.module.css";
import { pageCount, readingTime, shortAuthorWords } from "./itemFacts";
import { itemState, playsHere, readsHere, shownTitle, siteName, stateWords } from "./itemWords";
import { StateLine } from "./StateLine";
import { Thumbnail } from "./Thumbnail";

/** What the kind of an item looks like. */
export function KindIcon({ kind }: { kind: string }) {
  const Icon = kindOf(kind).icon;
  return <Icon size={20} aria-hidden="true" />;
}

/** Where an item opens: what can be read in the reader, everything else on its own page. */
export function itemHref(media: Media): string {
  return readsHere(media) ? paths.read(media.id) : paths.item(media.id);
}

interface ItemRowProps {
  media: ListedMedia;
  library: Library | undefined;
}

/** One item of a list. */
export function ItemRow({ media, library }: ItemRowProps) {
  const dimmed = ["waiting", "reading", "no-file"].includes(itemState(media));
  return (
    <li className={styles.row}>
      <KindIcon kind={media.kind} />
      <div className={styles.text}>
        <h2 className={cx(styles.title, dimmed && styles.dimmed)}>
          <Link href={itemHref(media)} lang={media.language ?? undefined} data-item-link>
            {shownTitle(media)}
          </Link>
        </h2>
        {media.excerpt && <Excerpt words={media.excerpt} />}
        <Facts media={media} />
        <StateLine media={media} listed />
      </div>
      <Thumbnail address={media.lead_image_url} />
      <ItemMenu media={media} library={library} />
    </li>
  );
}

function Excerpt({ words }: { words: string }) {
  return (
    <p className={styles.excerpt}>
      <bdi>{words}</bdi>
    </p>
  );
}

function Facts({ media }: { media: ListedMedia }) {
  const site = siteName(media);
  const kind = kindOf(media.kind);
  const state = itemState(media);
  const authors = shortAuthorWords(media);
  // How long it is says as well that it can be read.
  const length = readsHere(media) ? (readingTime(media) ?? pageCount(media)) : null;
  return (
    <p className={styles.meta}>
      <bdi>{site ?? kind.name}</bdi>
      {authors && <bdi className={styles.authors}>{authors}</bdi>}
      {site && !kind.namedBySite && <span>{kind.name}</span>}
      <Time at={media.saved_at} />
      {playsHere(media) ? (
        <span className={styles.badge}>Plays here</span>
      ) : (
        (state === "ready" || state === "elsewhere") && <span>{length ?? stateWords(media)}</span>
      )}
      {media.highlight_count > 0 && (
        <span className={styles.count}>
          <Highlighter size={14} aria-hidden="true" />
          {media.highlight_count.toLocaleString("en")}
          {media.highlight_count === 1 ? " highlight" : " highlights"}
        </span>
      )}
    </p>
  );
}
