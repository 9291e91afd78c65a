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
          <span>{bannerWords(reading)}</span>
        </p>
      )}
    </div>
  );
}

function bannerWords(reading: boolean): string {
  const offline = !navigator.onLine;
  const what = offline ? "You are offline." : "Nexus cannot be reached.";
  if (!reading) {
    return `${what} What you see may be out of date, and changes cannot be saved for now.`;
  }
  return `${what} Highlights and notes are kept and sent later.`;
}
