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

/** The two marks of the logo, apart, with nothing between them. */
export function OfflineArt() {
  return (
    <svg className={styles.art} viewBox="0 0 160 72" width="160" height="72" aria-hidden="true">
      <rect className={styles.amber} x="10" y="14" width="46" height="36" rx="10" />
      <rect className={styles.teal} x="104" y="22" width="46" height="36" rx="10" />
      <path className={styles.gap} d="M66 34h28" />
    </svg>
  );
}
