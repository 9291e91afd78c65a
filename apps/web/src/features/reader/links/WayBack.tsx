import { CornerUpLeft, X } from "lucide-react";
import styles from "./WayBack.module.css";

interface WayBackProps {
  onBack: () => void;
  onStay: () => void;
}

/** Leads back to where one was before following a link inside the text. */
export function WayBack({ onBack, onStay }: WayBackProps) {
  return (
    <div className={styles.pill}>
      <button type="button" className={styles.back} onClick={onBack}>
        <CornerUpLeft size={18} aria-hidden="true" />
        Back to where you were
      </button>
      <button
        type="button"
        className={styles.stay}
        aria-label="Stay here"
        title="Stay here"
        onClick={onStay}
      >
        <X size={18} aria-hidden="true" />
      </button>
    </div>
  );
}
