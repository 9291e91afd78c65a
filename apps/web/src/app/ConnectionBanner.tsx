import { CloudOff } from "lucide-react";
import { useRoute } from "wouter";
import styles from "./Shell.module.css";

/** Shown above the view while the server does not answer. */
export function ConnectionBanner({ reachable }: { reachable: boolean }) {
  const [reading] = useRoute("/read/:mediaId");
  return (
    <div role="status" className={styles.status}>
      {!reachable && (
        <p className={styles.banner}>
          <CloudOff size={18} aria-hidden="true" />
          <span>
            {navigator.onLine ? "Nexus does not answer." : "You are offline."}{" "}
            {reading
              ? "Highlights and notes are kept on this device and sent when it is back."
              : "What you see may be out of date; changes cannot be saved until it is back."}
          </span>
        </p>
      )}
    </div>
  );
}
