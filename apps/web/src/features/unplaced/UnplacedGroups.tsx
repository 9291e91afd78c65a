import type { Media } from "../../api/types";
import type { Unplaced } from "../../api/unplaced";
import { groupUnplaced } from "./groups";
import { useUnplaced } from "./queries";
import styles from "./Unplaced.module.css";
import { UnplacedCard } from "./UnplacedCard";

interface UnplacedGroupsProps {
  media: Media;
  list: readonly Unplaced[];
  /** Whether the groups start open. */
  open: boolean;
  onPlace?: (one: Unplaced) => void;
}

/** What has no place in the text, in groups that can be folded away. */
export function UnplacedGroups({ media, list, open, onPlace }: UnplacedGroupsProps) {
  return groupUnplaced(list).map((group) => (
    <details key={group.kind} className={styles.group} open={open}>
      <summary>
        {group.title} <span className={styles.count}>{group.list.length}</span>
      </summary>
      <p className={styles.words}>{group.words}</p>
      <ul className={styles.list} aria-label={group.title}>
        {group.list.map((one) => (
          <UnplacedCard key={one.id} one={one} media={media} onPlace={onPlace} />
        ))}
      </ul>
    </details>
  ));
}

/** The same for an item without a text to read, where nothing can be placed. */
export function UnplacedOfItem({ media }: { media: Media }) {
  const list = useUnplaced(media.id);
  if (list.length === 0) return null;
  return (
    <section className={styles.ofItem} aria-label="Highlights and notes">
      <UnplacedGroups media={media} list={list} open />
    </section>
  );
}
