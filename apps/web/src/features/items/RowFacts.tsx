import { Highlighter } from "lucide-react";
import type { ListedMedia } from "../../api/types";
import { kindOf } from "../../shared/kinds";
import { Time } from "../../ui/Time";
import styles from "./Items.module.css";
import { pageCount, readingTime, shortAuthorWords, timeLeft } from "./itemFacts";
import { itemState, playsHere, readsHere, siteName, stateWords } from "./itemWords";
import { Progress } from "./Progress";

/** Where an item is from, how long it is and how far it was read. */
export function RowFacts({ media }: { media: ListedMedia }) {
  const site = siteName(media);
  const kind = kindOf(media.kind);
  const state = itemState(media);
  const authors = shortAuthorWords(media);
  return (
    <p className={styles.meta}>
      <bdi>{site ?? kind.name}</bdi>
      {authors && <bdi className={styles.authors}>{authors}</bdi>}
      {site && !kind.namedBySite && <span>{kind.name}</span>}
      <Time at={media.saved_at} />
      {playsHere(media) ? (
        <span className={styles.badge}>Plays here</span>
      ) : (
        (state === "ready" || state === "elsewhere") && <Length media={media} />
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

/** How long it is, which says as well that it can be read; of what is begun, how much is left. */
function Length({ media }: { media: ListedMedia }) {
  const length = readsHere(media) ? (readingTime(media) ?? pageCount(media)) : null;
  if (media.state !== "reading") return <span>{length ?? stateWords(media)}</span>;
  return (
    <span className={styles.reading}>
      <Progress media={media} />
      <span>{timeLeft(media) ?? length}</span>
    </span>
  );
}
