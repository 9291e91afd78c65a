import { useId } from "react";
import type { Fragment } from "../../api/fragments";
import type { Media } from "../../api/types";
import { hostOf } from "../items/itemWords";
import { ArticleBody } from "./ArticleBody";
import { ArticleHead } from "./ArticleHead";
import type { ReaderHighlight } from "./data/readerHighlight";
import type { NoteBook } from "./notes/noteBook";
import { PrintedNotes } from "./PrintedNotes";
import styles from "./Reader.module.css";
import type { ArticleText } from "./text/articleText";
import { usePrinting } from "./usePrinting";
import { Warnings } from "./Warnings";

interface ArticleColumnProps {
  title: string;
  original: URL | null;
  media: Media;
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
  const { title, original, media, fragment, highlights, notes, mismatch, error, onText } = props;
  const titleId = useId();
  const printing = usePrinting();
  return (
    <article className={styles.article} aria-labelledby={titleId} data-printed>
      <ArticleHead
        {...{ title, titleId, original, media, fragment, printing }}
        highlightCount={highlights.length}
      />
      <Warnings mismatch={mismatch} error={error} />
      <ArticleBody
        html={fragment.html_sanitized}
        images={fragment.images}
        language={media.language}
        labelledBy={titleId}
        onText={onText}
      />
      <footer className={styles.end}>
        {original ? (
          <a href={original.href} target="_blank" rel="noopener noreferrer">
            Read the original at {hostOf(original.href)}
          </a>
        ) : (
          <span>The end.</span>
        )}
      </footer>
      {printing && <PrintedNotes highlights={highlights} notes={notes} />}
    </article>
  );
}
