import { CloudOff } from "lucide-react";
import styles from "./Shell.module.css";

/** Shown above the view while the server does not answer. */
export function ConnectionBanner({ reachable }: { reachable: boolean }) {
  return (
    <div role="status" className={styles.status}>
      {!reachable && (
        <p className={styles.banner}>
          <CloudOff size={18} aria-hidden="true" />
          <span>
            {navigator.onLine ? "Nexus cannot be reached." : "You are offline."} What you see may be
            out of date. Highlights and notes are kept here and saved once you are back; everything
            else has to wait.
          </span>
        </p>
      )}
    </div>
  );
}
