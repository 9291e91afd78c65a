import { MessageSquareText } from "lucide-react";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { countWords, HighlightSheet, type PaneProps } from "./HighlightPane";
import type { Highlighting } from "./highlighting/useHighlighting";
import styles from "./Reader.module.css";
import { SelectionBar } from "./SelectionBar";
import { StackList } from "./StackList";
import type { ArticleText } from "./text/articleText";

interface ReaderOverlaysProps {
  /** Null while nothing can be highlighted. */
  text: ArticleText | null;
  wide: boolean;
  pane: Omit<PaneProps, "text">;
  highlighting: Highlighting;
}

/** What lies over the article: the cards on a small screen, and what the selection offers. */
export function ReaderOverlays({ text, wide, pane, highlighting }: ReaderOverlaysProps) {
  const coarse = useMediaQuery("(pointer: coarse)");
  const { selected, sheetOpen, setSheetOpen, bar, stack, announcement } = highlighting;
  const { highlights } = pane;
  return (
    <>
      {!wide && text && sheetOpen && (
        <HighlightSheet text={text} {...pane} onClose={() => setSheetOpen(false)} />
      )}
      {!wide && text && !sheetOpen && highlights.length > 0 && !selected && (
        <button type="button" className={styles.pill} onClick={() => setSheetOpen(true)}>
          <MessageSquareText size={18} aria-hidden="true" />
          {countWords(highlights.length)}
        </button>
      )}
      {text && <SelectionBar text={text} docked={coarse || !wide} {...bar} />}
      {stack && <StackList {...stack} highlights={highlights} />}
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </>
  );
}
