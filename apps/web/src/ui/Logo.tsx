import styles from "./Logo.module.css";

/** Two overlapping marks: where they meet is the nexus. */
export function Logo() {
  return (
    <span className={styles.logo}>
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <rect x="2" y="4" width="19" height="15" rx="4.5" className={styles.a} />
        <rect x="11" y="13" width="19" height="15" rx="4.5" className={styles.b} />
        <path
          d="M11 17.5a4.5 4.5 0 0 1 4.5-4.5H21v1.5a4.5 4.5 0 0 1-4.5 4.5H11z"
          className={styles.ab}
        />
      </svg>
      Nexus
    </span>
  );
}
