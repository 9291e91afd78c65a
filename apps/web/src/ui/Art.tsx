import styles from "./Art.module.css";

/** A page with three overlapping marks, waiting for its first reader. */
export function ShelfArt() {
  return (
    <svg className={styles.art} viewBox="0 0 200 132" width="200" height="132" aria-hidden="true">
      <g className={styles.sheet}>
        <rect x="62" y="14" width="92" height="106" rx="8" transform="rotate(7 108 67)" />
        <rect x="44" y="12" width="92" height="108" rx="8" transform="rotate(-4 90 66)" />
      </g>
      <g transform="rotate(-4 90 66)">
        <rect className={styles.amber} x="56" y="41" width="50" height="11" rx="2" />
        <rect className={styles.teal} x="84" y="41" width="38" height="11" rx="2" />
        <rect className={styles.both} x="84" y="41" width="22" height="11" rx="2" />
        <rect className={styles.teal} x="56" y="57" width="26" height="11" rx="2" />
        <g className={styles.lines}>
          <path d="M58 29h38M58 46.5h62M58 62.5h64M58 78.5h54M58 94.5h60M58 107h28" />
        </g>
      </g>
    </svg>
  );
}

/** Two ends of a line that do not meet. */
export function OfflineArt() {
  return (
    <svg className={styles.art} viewBox="0 0 200 60" width="160" height="48" aria-hidden="true">
      <g className={styles.wire}>
        <path d="M8 38c22-26 40 18 62-4M192 24c-22 26-40-18-62 4" />
        <path d="M92 22l6 8-6 8M112 38l-6-8 6-8" />
      </g>
    </svg>
  );
}
