import { ApiError } from "../../api/errors";
import { Notice } from "../../ui/Notice";
import styles from "./Reader.module.css";
import { canDraw } from "./text/painter";

/** Why highlights are missing, when they are. */
export function Warnings({ mismatch, error }: { mismatch: boolean; error: unknown }) {
  if (mismatch) {
    return (
      <div className={styles.notice}>
        <Notice kind="error">
          Your browser reads this text differently from the server, so highlights would not be where
          they belong. They are safe, but not shown here. Another browser may help.
        </Notice>
      </div>
    );
  }
  if (error instanceof ApiError) {
    return (
      <div className={styles.notice}>
        <Notice kind="error">
          Your highlights could not be loaded. They will appear as soon as they can.
        </Notice>
      </div>
    );
  }
  if (!canDraw()) {
    return (
      <div className={styles.notice}>
        <Notice>
          This browser is too old to draw highlights in the text. You will find them in the list.
        </Notice>
      </div>
    );
  }
  return null;
}
