import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import type { PageIndex } from "../../shared/pages";
import { IconButton } from "../../ui/Button";
import type { ReaderHighlight } from "./data/readerHighlight";
import { type CardHandlers, cardId, HighlightCard } from "./HighlightCard";
import styles from "./HighlightPane.module.css";
import type { NoteBook } from "./notes/noteBook";
import type { ReadingText } from "./text/readingText";
import { useCardLayout } from "./useCardLayout";

export interface PaneProps {
  text: ReadingText;
  highlights: readonly ReaderHighlight[];
  activeId: string | null;
  pointedIds: readonly string[];
  /** How often it was asked for to write the note of the active one; 0 while that is not written. */
  writing: number;
  notes: NoteBook;
  handlers: CardHandlers;
  pages?: PageIndex | null;
  /** What has no place in the text, and how many that are. */
  unplaced?: ReactNode;
  unplacedCount?: number;
}

/** The cards in the margin, each level with its text. */
export function HighlightMargin(props: PaneProps) {
  const pane = useRef<HTMLOListElement>(null);
  const above = useRef<HTMLDivElement>(null);
  useCardLayout(pane, above, props);
  return (
    <aside className={styles.margin} aria-label="Highlights and notes">
      <div ref={above}>{props.unplaced}</div>
      <Empty {...props} />
      <ol ref={pane} className={styles.aligned} onKeyDown={moveFocus}>
        <Cards {...props} />
      </ol>
    </aside>
  );
}

/** The cards in a sheet at the bottom of a small screen. */
export function HighlightSheet({ onClose, ...props }: PaneProps & { onClose: () => void }) {
  const sheet = useRef<HTMLElement>(null);
  const { activeId } = props;
  useEffect(() => {
    const card = activeId ? document.getElementById(cardId(activeId)) : null;
    card?.closest("li")?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  return (
    <aside ref={sheet} className={styles.sheet} aria-label="Highlights and notes">
      <header className={styles.head}>
        <h2>{countWords(props.highlights.length + (props.unplacedCount ?? 0))}</h2>
        <IconButton label="Close highlights" onClick={onClose}>
          <X size={20} aria-hidden="true" />
        </IconButton>
      </header>
      <div className={styles.scroll}>
        {props.unplaced}
        <Empty {...props} />
        <ol className={styles.list} onKeyDown={moveFocus}>
          <Cards {...props} />
        </ol>
      </div>
    </aside>
  );
}

function Empty({ highlights, unplacedCount = 0 }: PaneProps) {
  if (highlights.length > 0 || unplacedCount > 0) return null;
  return (
    <p className={styles.empty}>Select a passage to highlight it. Your notes will appear here.</p>
  );
}

function Cards({ highlights, activeId, pointedIds, writing, ...shared }: PaneProps) {
  const reachable = highlights.find(({ id }) => id === activeId) ?? highlights[0];
  return highlights.map((highlight) => (
    <HighlightCard
      key={highlight.id}
      highlight={highlight}
      active={highlight.id === activeId}
      pointed={pointedIds.includes(highlight.id)}
      tabbable={highlight === reachable}
      writing={highlight.id === activeId ? writing : 0}
      notes={shared.notes}
      handlers={shared.handlers}
      pages={shared.pages ?? null}
      chapter={shared.text.chapterAt?.(highlight.passage.start) ?? null}
    />
  ));
}

/** "7 highlights". */
export function countWords(count: number): string {
  return count === 1 ? "1 highlight" : `${count} highlights`;
}

/** The arrow keys go from card to card. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !(event.target instanceof HTMLButtonElement)) return;
  const faces = [
    ...event.currentTarget.querySelectorAll<HTMLElement>("[data-highlight-id] > button"),
  ];
  const next = faces[faces.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
