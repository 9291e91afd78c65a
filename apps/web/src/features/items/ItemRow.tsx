import { Archive, Check, Star } from "lucide-react";
import { memo, use, useSyncExternalStore } from "react";
import { Link } from "wouter";
import type { Library, ListedMedia, Media } from "../../api/types";
import { kindOf } from "../../shared/kinds";
import { paths } from "../../shared/paths";
import { cx } from "../../ui/cx";
import { ItemMenu } from "./ItemMenu";
import styles from "./Items.module.css";
import { itemState, readsHere, shownTitle } from "./itemWords";
import { RowFacts } from "./RowFacts";
import { type RowPlaceProps, rowProps } from "./rowPlace";
import { StateLine } from "./StateLine";
import { currentSelection, onSelectionChange } from "./selection";
import { ListSlotsContext } from "./slots";
import { Thumbnail } from "./Thumbnail";

// Beyond these, a row says how many more there are.
const TAGS_SHOWN = 4;

/** What the kind of an item looks like. */
export function KindIcon({ kind }: { kind: string }) {
  const Icon = kindOf(kind).icon;
  return <Icon size={20} aria-hidden="true" />;
}

/** Where an item opens: what can be read in the reader, everything else on its own page. */
export function itemHref(media: Media): string {
  return readsHere(media) ? paths.read(media.id) : paths.item(media.id);
}

interface ItemRowProps extends RowPlaceProps {
  media: ListedMedia;
  library: Library | undefined;
}

/** One item of a list; scrolling past it draws it no second time. */
export const ItemRow = memo(function ItemRow({ media, library, ...place }: ItemRowProps) {
  const { RowActions } = use(ListSlotsContext);
  const selected = useIsSelected(media.id);
  const dimmed = ["waiting", "reading", "no-file"].includes(itemState(media));
  return (
    <li
      {...rowProps(place)}
      data-row={media.id}
      className={cx(styles.row, selected && styles.selected)}
    >
      <Tick media={media} selected={selected} />
      <div className={styles.text}>
        <h2 className={cx(styles.title, dimmed && styles.dimmed)}>
          <Link href={itemHref(media)} lang={media.language ?? undefined} data-item-link>
            {shownTitle(media)}
          </Link>
          {media.favourite && (
            <span className={styles.favourite}>
              <Star size={15} aria-hidden="true" />
              <span className="visually-hidden">Favourite</span>
            </span>
          )}
        </h2>
        {media.excerpt && <Excerpt words={media.excerpt} />}
        <RowFacts media={media} />
        <StateLine media={media} listed />
        <Marks media={media} />
      </div>
      <Thumbnail address={media.lead_image_url} />
      <div className={styles.rowActions}>
        {RowActions && <RowActions media={media} library={library} />}
        <ItemMenu media={media} library={library} />
      </div>
    </li>
  );
});

function useIsSelected(id: string): boolean {
  return useSyncExternalStore(onSelectionChange, () => currentSelection().selected.has(id));
}

/** The kind of the item, with a box to tick it in the same place; the list takes the click. */
function Tick({ media, selected }: { media: ListedMedia; selected: boolean }) {
  return (
    <label className={styles.tick}>
      <KindIcon kind={media.kind} />
      <input
        type="checkbox"
        checked={selected}
        aria-label={`Select ${shownTitle(media)}`}
        onChange={() => {}}
      />
    </label>
  );
}

function Excerpt({ words }: { words: string }) {
  return (
    <p className={styles.excerpt}>
      <bdi>{words}</bdi>
    </p>
  );
}

/** What the person made of it: finished, archived, tags. */
function Marks({ media }: { media: ListedMedia }) {
  const { state, archived, tags } = media;
  if (state !== "finished" && !archived && tags.length === 0) return null;
  const more = tags.length - TAGS_SHOWN;
  return (
    <div className={styles.marks}>
      {state === "finished" && (
        <span className={styles.mark}>
          <Check size={14} aria-hidden="true" />
          Finished
        </span>
      )}
      {archived && (
        <span className={styles.mark}>
          <Archive size={14} aria-hidden="true" />
          Archived
        </span>
      )}
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <Link key={tag} href={paths.tag(tag)} className={styles.tag}>
          <bdi>{tag}</bdi>
        </Link>
      ))}
      {more > 0 && (
        <span className={styles.moreTags} title={tags.slice(TAGS_SHOWN).join(", ")}>
          +{more}
          <span className="visually-hidden">{more === 1 ? " more tag" : " more tags"}</span>
        </span>
      )}
    </div>
  );
}
