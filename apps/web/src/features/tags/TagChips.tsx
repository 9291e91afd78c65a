import { Plus, X } from "lucide-react";
import { IconButton } from "../../ui/Button";
import { cx } from "../../ui/cx";
import type { ChosenTag } from "./chosenTags";
import styles from "./Tags.module.css";

interface TagChipsProps {
  tags: readonly ChosenTag[];
  /** How many items there are. */
  all: number;
  onAddToAll: (name: string) => void;
  onRemove: (name: string) => void;
}

/** The tags that were chosen; one that only some of the items have can be given to all. */
export function TagChips({ tags, all, onAddToAll, onRemove }: TagChipsProps) {
  if (tags.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Chosen tags">
      {tags.map(({ name, count }) => (
        <li key={name} className={cx(styles.chip, count < all && styles.partial)}>
          <bdi className={styles.chipName}>{name}</bdi>
          {count < all && (
            <>
              <span className={styles.share}>
                {count} of {all}
              </span>
              <IconButton label={`Add ${name} to all`} onClick={() => onAddToAll(name)}>
                <Plus size={16} aria-hidden="true" />
              </IconButton>
            </>
          )}
          <IconButton label={`Remove ${name}`} onClick={() => onRemove(name)}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
