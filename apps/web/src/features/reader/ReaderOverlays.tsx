import { MessageSquareText } from "lucide-react";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { countWords, HighlightSheet, type PaneProps } from "./HighlightPane";
import type { Highlighting } from "./highlighting/useHighlighting";
import { NotePopover } from "./links/NotePopover";
import type { OpenNote } from "./links/useInsideLinks";
import { WayBack } from "./links/WayBack";
import styles from "./Reader.module.css";
import { SelectionBar } from "./SelectionBar";
import { StackList } from "./StackList";
import type { ReadingText } from "./text/readingText";

interface ReaderOverlaysProps {
  /** Null while nothing can be highlighted. */
  text: ReadingText | null;
  wide: boolean;
  pane: Omit<PaneProps, "text">;
  highlighting: Highlighting;
  /** What the links inside the text have opened, and where they led. */
  links: {
    note: OpenNote | null;
    onClose: (note: OpenNote) => void;
    onJump: (offset: number, link: HTMLAnchorElement | null) => void;
    canReturn: boolean;
    onStay: () => void;
  };
}

/** What lies over the article: the cards on a small screen, and what the selection offers. */
export function ReaderOverlays(props: ReaderOverlaysProps) {
  const { text, wide, pane, highlighting, links } = props;
  const coarse = useMediaQuery("(pointer: coarse)");
  const { selected, sheetOpen, setSheetOpen, bar, stack, announcement } = highlighting;
  const { highlights, unplacedCount = 0 } = pane;
  const count = highlights.length + unplacedCount;
  const { note, canReturn, onStay } = links;
  const free = !selected && (wide || !sheetOpen);
  return (
    <>
      {!wide && text && sheetOpen && (
        <HighlightSheet text={text} {...pane} onClose={() => setSheetOpen(false)} />
      )}
      {note && <NotePopover key={note.key} {...links} note={note} />}
      {canReturn && free && <WayBack onBack={() => window.history.back()} onStay={onStay} />}
      {!wide && text && free && !canReturn && count > 0 && !bar.placing && (
        <button type="button" className={styles.pill} onClick={() => setSheetOpen(true)}>
          <MessageSquareText size={18} aria-hidden="true" />
          {countWords(count)}
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
