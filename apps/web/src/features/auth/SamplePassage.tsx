import styles from "./SamplePassage.module.css";

/** A picture made of text: a passage with two overlapping highlights and a note in the margin. */
export function SamplePassage() {
  return (
    <aside className={styles.panel} aria-label="What Nexus looks like">
      <div className={styles.sheet}>
        <p className={styles.kicker}>On reading</p>
        <p className={styles.passage}>
          A page read once is a visit.{" "}
          <span className={styles.amber}>A page you have marked is</span>
          <span className={styles.both}> a place you can return to</span>
          <span className={styles.teal}>, and find your own thoughts</span> still there, in the
          margin, next to the words that started them.
        </p>
        <p className={styles.note}>
          <span className={styles.dot} aria-hidden="true" />
          Two highlights, one sentence. Both keep their place.
        </p>
      </div>
    </aside>
  );
}
