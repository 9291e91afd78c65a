import type { Outline } from "../../../api/media";
import type { Media } from "../../../api/types";
import { Notice } from "../../../ui/Notice";
import styles from "../Reader.module.css";
import { pdfErrorWords } from "./pdfWords";

interface PdfNoticesProps {
  media: Media;
  outline: Outline | null;
  /** Whether the server gives the file at the moment. */
  reachable: boolean;
  /** What went wrong with a page. */
  error: unknown;
}

/** What there is to say about a PDF that is open, above its pages. */
export function PdfNotices({ media, outline, reachable, error }: PdfNoticesProps) {
  const hasText = (outline?.fragments.length ?? 0) > 0;
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
          <Notice kind="error">Some pages could not be shown. {pdfErrorWords(error)}</Notice>
        </div>
      )}
      {!hasText && !media.capabilities.can_highlight && (
        <div className={styles.notice}>
          <Notice>
            {media.processing_status === "ready_for_reading"
              ? "These pages hold no text, only pictures of it, so nothing can be highlighted."
              : "The text is still being read. You can highlight as soon as that is done."}
          </Notice>
        </div>
      )}
    </>
  );
}
