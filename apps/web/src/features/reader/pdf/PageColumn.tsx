import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import type { Outline } from "../../../api/media";
import { PrintedNotes } from "../PrintedNotes";
import type { TextColumnProps } from "../Reader";
import { usePrinting } from "../usePrinting";
import "./pages.css";
import styles from "./PageColumn.module.css";
import { copyAsText, followGestures } from "./pageGestures";
import type { Zoom } from "./pageLayout";
import type { PagePlace } from "./pageOffsets";
import type { Paper } from "./pagePreferences";
import { steadySelection } from "./pageSelection";
import { BAR_HEIGHT } from "./pageStack";
import { PagesText } from "./pagesText";

export interface OpenedPdf {
  readonly document: PDFDocumentProxy;
  readonly first: PDFPageProxy;
}

interface PageColumnProps extends TextColumnProps {
  pdf: OpenedPdf;
  outline: Outline | null;
  zoom: Zoom;
  paper: Paper;
  /** What there is to say about the file, above the pages. */
  children?: ReactNode;
  onPages: (pages: PagesText | null) => void;
}

interface LeftPages {
  readonly pdf: OpenedPdf;
  readonly zoom: Zoom;
  readonly place: PagePlace | null;
}

/** The pages of a PDF. React makes the box of the pages and never looks inside. */
export function PageColumn(props: PageColumnProps) {
  const { title, pdf, outline, zoom, paper, highlights, notes, warnings, children } = props;
  const { onText, onPages } = props;
  const titleId = useId();
  const printing = usePrinting();
  const box = useRef<HTMLElement>(null);
  // How the pages were left: their text may come while somebody reads them.
  const left = useRef<LeftPages>({ pdf, zoom, place: null });
  useLayoutEffect(() => {
    const root = box.current;
    if (!root) return;
    const text = new PagesText({ root, ...pdf, outline, zoom: left.current.zoom });
    if (left.current.pdf === pdf && left.current.place) {
      text.stack.show(left.current.place, BAR_HEIGHT);
    }
    const stops = [steadySelection(root), followGestures(text), copyAsText(text)];
    onText(text);
    onPages(text);
    return () => {
      const { stack } = text;
      left.current = { pdf, zoom: stack.layout.zoom, place: stack.placeAt(BAR_HEIGHT) };
      onText(null);
      onPages(null);
      for (const stop of stops) stop();
      text.destroy();
    };
  }, [pdf, outline, onText, onPages]);
  return (
    <article className={styles.column} aria-labelledby={titleId} data-printed>
      <h1 id={titleId} className={printing ? undefined : "visually-hidden"} dir="auto">
        {title}
      </h1>
      {warnings}
      {children}
      <p className={styles.printed}>
        The pages of a PDF are printed from the file itself: download it, and print it from there.
      </p>
      <div className={styles.scroller}>
        <section
          ref={box}
          className={styles.pages}
          data-paper={paper}
          data-theme={paper === "printed" ? "light" : undefined}
          lang=""
          tabIndex={-1}
          aria-labelledby={titleId}
        />
      </div>
      {printing && <PrintedNotes highlights={highlights} notes={notes} />}
    </article>
  );
}
