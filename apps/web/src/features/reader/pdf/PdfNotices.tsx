import type { Media } from "../../../api/types";
import { Notice } from "../../../ui/Notice";
import styles from "../Reader.module.css";
import { noHighlightWords, pdfErrorWords } from "./pdfWords";

interface PdfNoticesProps {
  media: Media;
  /** Whether the server gives the file at the moment. */
  reachable: boolean;
  /** Why the rest of the file does not come. */
  error: unknown;
}

/** What there is to say about a PDF that is open, above its pages. */
export function PdfNotices({ media, reachable, error }: PdfNoticesProps) {
  const words = noHighlightWords(media);
  return (
    <>
      {!reachable && (
        <div className={styles.notice}>
          <Notice role="status">
            The file cannot be reached at the moment. Pages that are missing appear as soon as it
            can.
          </Notice>
        </div>
      )}
      {error !== null && (
        <div className={styles.notice}>
          <Notice kind="error">Some pages cannot be shown. {pdfErrorWords(error)}</Notice>
        </div>
      )}
      {words && (
        <div className={styles.notice}>
          <Notice>{words}</Notice>
        </div>
      )}
    </>
  );
}
