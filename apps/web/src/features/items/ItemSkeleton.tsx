import styles from "./ItemSkeleton.module.css";
import { type RowPlaceProps, rowProps } from "./rowPlace";

/** The place of a row that is not loaded. */
export function BlankRow(place: RowPlaceProps) {
  return (
    <li {...rowProps(place)} aria-busy="true">
      <span className="visually-hidden">Loading</span>
      <Bones />
    </li>
  );
}

function Bones() {
  return (
    <div className={styles.bones} aria-hidden="true">
      <span />
      <span />
    </div>
  );
}

/** The list while it loads. */
export function ItemSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" className={styles.skeleton}>
      <span className="visually-hidden">Loading the items</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move.
        <Bones key={row} />
      ))}
    </div>
  );
}
