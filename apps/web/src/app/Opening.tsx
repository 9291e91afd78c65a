import { SkeletonRows } from "../ui/States";
import styles from "./Shell.module.css";

/** A view on its way, in the column it will have. */
export function Opening() {
  return (
    <div className={styles.opening}>
      <SkeletonRows rows={6} label="Loading" />
    </div>
  );
}
