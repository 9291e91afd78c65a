import type { ListedMedia } from "../../api/types";
import { percentRead } from "./itemFacts";
import styles from "./Progress.module.css";

/** How far an item was read, as a bar and in figures. */
export function Progress({ media }: { media: ListedMedia }) {
  const percent = percentRead(media);
  return (
    <>
      <span className={styles.progress} aria-hidden="true">
        <span style={{ width: `${percent}%` }} />
      </span>
      <span>
        {percent}%<span className="visually-hidden"> read</span>
      </span>
    </>
  );
}
