import styles from "./Import.module.css";
import { SOURCES } from "./sources";

/** What can be imported, and how to get the file from each app. */
export function SourceList() {
  return (
    <section className={styles.section} aria-labelledby="sources-heading">
      <h2 id="sources-heading">What Nexus can import</h2>
      <p className={styles.soft}>
        Nexus looks inside the file to see where it is from. Its name does not matter.
      </p>
      <dl className={styles.sources}>
        {SOURCES.map(({ name, brings, how }) => (
          <div key={name} className={styles.source}>
            <dt>
              {name} <span className={styles.brings}>{brings}</span>
            </dt>
            <dd>{how}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
