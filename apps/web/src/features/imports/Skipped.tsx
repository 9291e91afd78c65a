import { type Import, reportPath } from "../../api/imports";
import styles from "./Import.module.css";
import { counted, reasonsByCount } from "./words";

/** What will not be taken, grouped by the reason, with every line in a file. */
export function Skipped({ one }: { one: Import }) {
  const { skipped } = one.counts;
  if (skipped === 0) return null;
  return (
    <details className={styles.skipped}>
      <summary>{skippedWords(skipped, one.state === "preview")}</summary>
      <ul className={styles.reasons}>
        {reasonsByCount(one.skipped_reasons).map(([reason, count]) => (
          <li key={reason}>
            <span className={styles.reasonCount}>{count.toLocaleString("en")}</span> {reason}
          </li>
        ))}
      </ul>
      <a href={reportPath(one.id)} download>
        Download every line with its reason (CSV)
      </a>
    </details>
  );
}

function skippedWords(count: number, ahead: boolean): string {
  const was = count === 1 ? "was" : "were";
  return `${counted(count, "line")} ${ahead ? "will be" : was} skipped`;
}
