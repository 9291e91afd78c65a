import type { ListedMedia } from "../../api/types";
import { MarkButtons } from "./MarkButtons";
import styles from "./Triage.module.css";

/** Archive and favourite beside an item, for those with a mouse; others have the menu and keys. */
export function RowMarks({ media }: { media: ListedMedia }) {
  return (
    <div className={styles.rowMarks}>
      <MarkButtons media={media} size={18} />
    </div>
  );
}
