import { Link } from "wouter";
import type { Media } from "../../api/types";
import { paths } from "../../shared/paths";
import { ButtonLink } from "../../ui/Button";
import { EmptyState } from "../../ui/States";
import { ItemActions } from "../items/ItemActions";
import { kindWords, playsHere, readsHere, shownTitle, siteName, whatNow } from "../items/itemWords";
import { StateLine } from "../items/StateLine";
import { UnplacedOfItem } from "../unplaced/UnplacedGroups";
import styles from "./ReaderPage.module.css";

/** An item that cannot be read here, or not yet: what it is, why, and what can be done with it. */
export function NotReady({ media }: { media: Media }) {
  const what = [kindWords(media.kind), siteName(media)].filter(Boolean).join(" · ");
  // Said to be readable, and yet without text: a word like "Ready" would be wrong here.
  const textless = readsHere(media);
  const words = textless
    ? "The text of this article is missing. Save its address again to fetch it."
    : whatNow(media);
  return (
    <EmptyState level={1} title={shownTitle(media)}>
      <p>{what}</p>
      {!textless && !playsHere(media) && (
        <div className={styles.state} role="status">
          <StateLine media={media} />
        </div>
      )}
      {words && <p>{words}</p>}
      <div className={styles.ways}>
        {playsHere(media) && <ButtonLink href={paths.item(media.id)}>Play</ButtonLink>}
        <ItemActions media={media} reading>
          {!playsHere(media) && (
            <Link href={paths.item(media.id)} className={styles.about}>
              About this item
            </Link>
          )}
        </ItemActions>
      </div>
      <UnplacedOfItem media={media} />
    </EmptyState>
  );
}
