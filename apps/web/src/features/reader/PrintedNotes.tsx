import type { ReaderHighlight } from "./data/readerHighlight";
import type { NoteBook } from "./notes/noteBook";
import styles from "./PrintedNotes.module.css";

interface PrintedNotesProps {
  highlights: readonly ReaderHighlight[];
  notes: NoteBook;
}

/** On paper: the notes after the text, each with its passage, in reading order. */
export function PrintedNotes({ highlights, notes }: PrintedNotesProps) {
  const written = highlights
    .map((highlight) => ({ ...highlight, note: notes.open(highlight).body.trim() }))
    .filter(({ note }) => note !== "");
  if (written.length === 0) return null;
  return (
    <section className={styles.notes}>
      <h2>Notes</h2>
      <ol>
        {written.map(({ id, exact, note, color }) => (
          <li key={id} data-color={color}>
            <blockquote dir="auto">{exact}</blockquote>
            <p dir="auto">{note}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
