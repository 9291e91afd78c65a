import { useId } from "react";
import type { Fragment } from "../../api/fragments";
import { ArticleBody } from "./ArticleBody";
import type { ReaderHighlight } from "./data/readerHighlight";
import { countWords } from "./HighlightPane";
import type { NoteBook } from "./notes/noteBook";
import { PrintedNotes } from "./PrintedNotes";
import styles from "./Reader.module.css";
import type { ArticleText } from "./text/articleText";
import { usePrinting } from "./usePrinting";
import { Warnings } from "./Warnings";
import { readingTime } from "./words";

interface ArticleColumnProps {
  title: string;
  original: URL | null;
  fragment: Fragment;
  highlights: readonly ReaderHighlight[];
  notes: NoteBook;
  /** The text on the page is not the server's. */
  mismatch: boolean;
  /** Why the highlights did not load. */
  error: unknown;
  onText: (text: ArticleText | null) => void;
}

/** The article from its title to its end. */
export function ArticleColumn(props: ArticleColumnProps) {
  const { title, original, fragment, highlights, notes, mismatch, error, onText } = props;
  const titleId = useId();
  const printing = usePrinting();
  return (
    <article className={styles.article} aria-labelledby={titleId} data-printed>
      <header className={styles.head}>
        <h1 id={titleId} dir="auto">
          {title}
        </h1>
        <p className={styles.meta}>
          {original && <span>{siteName(original)}</span>}
          <span>{readingTime(fragment.canonical_text)}</span>
          {highlights.length > 0 && <span>{countWords(highlights.length)}</span>}
        </p>
        {printing && original && <p className={styles.address}>{original.href}</p>}
      </header>
      <Warnings mismatch={mismatch} error={error} />
      <ArticleBody
        html={fragment.html_sanitized}
        images={fragment.images}
        labelledBy={titleId}
        onText={onText}
      />
      <footer className={styles.end}>
        {original ? (
          <a href={original.href} target="_blank" rel="noopener noreferrer">
            Read the original at {siteName(original)}
          </a>
        ) : (
          <span>The end.</span>
        )}
      </footer>
      {printing && <PrintedNotes highlights={highlights} notes={notes} />}
    </article>
  );
}

function siteName({ hostname }: URL): string {
  return hostname.replace(/^www\./, "");
}
