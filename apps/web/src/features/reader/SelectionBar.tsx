import { Code, MessageSquarePlus, X } from "lucide-react";
import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { ColorButtons } from "./ColorButtons";
import type { HighlightColor } from "./colors";
import styles from "./SelectionBar.module.css";
import type { ReadingText, SelectedPassage } from "./text/readingText";

interface SelectionBarProps {
  text: ReadingText;
  selected: SelectedPassage | null;
  /** At the bottom of the screen, where it is not under a finger or the phone's own menu. */
  docked: boolean;
  /** It has code in it, and that is not allowed yet. `asked` when a key was pressed in vain. */
  refusal: { asked: boolean; onAllow: () => void } | null;
  /** Another passage is being chosen for a highlight. */
  reselecting: boolean;
  /** The passage of a highlight that was not found is being chosen. */
  placing: { quote: string; onPlace: () => void; onCancel: () => void } | null;
  onHighlight: (color: HighlightColor) => void;
  onNote: () => void;
  onReselect: () => void;
  onCancel: () => void;
}

/** What can be done with the selected passage. */
export function SelectionBar(props: SelectionBarProps) {
  const { text, selected, docked, refusal, reselecting, placing } = props;
  const place = usePlace(text, docked ? null : selected, refusal ? REFUSAL_HALF : BAR_HALF);
  if (!selected && !reselecting && !placing) return null;
  // What is asked for stays where it is, so that it can be read while one looks for the passage.
  const floating = place && !docked && selected && !placing;
  return (
    <div
      className={cx(styles.bar, floating ? styles.floating : styles.docked)}
      style={floating ? place : undefined}
      role="toolbar"
      aria-label="Selected passage"
      // Pressing a button must not end the selection.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      <BarContent {...props} />
    </div>
  );
}

function BarContent(props: SelectionBarProps) {
  const { selected, refusal, reselecting, placing } = props;
  const { onHighlight, onNote, onReselect, onCancel } = props;
  if (refusal) return <Refusal {...refusal} />;
  if (placing) {
    return (
      <>
        <p className={styles.wanted}>
          <span className={styles.asked}>
            {selected ? "Place it here?" : "Select the passage it belongs to"}
          </span>
          <q className={styles.quote}>{placing.quote}</q>
        </p>
        {selected && (
          <Button look="primary" onClick={placing.onPlace}>
            Place here
          </Button>
        )}
        <IconButton label="Cancel" onClick={placing.onCancel}>
          <X size={18} aria-hidden="true" />
        </IconButton>
      </>
    );
  }
  if (reselecting) {
    return (
      <>
        <p className={styles.words}>
          {selected ? "Move the highlight here?" : "Select the new passage"}
        </p>
        {selected && (
          <Button look="primary" onClick={onReselect}>
            Use this passage
          </Button>
        )}
        <IconButton label="Cancel" onClick={onCancel}>
          <X size={18} aria-hidden="true" />
        </IconButton>
      </>
    );
  }
  return (
    <>
      <ColorButtons label="Highlight in" onChoose={onHighlight} />
      <span className={styles.rule} />
      <IconButton label="Highlight with a note" onClick={onNote}>
        <MessageSquarePlus size={18} aria-hidden="true" />
      </IconButton>
    </>
  );
}

/** Why code is not highlighted, and the way to allow it. */
function Refusal({ asked, onAllow }: { asked: boolean; onAllow: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (asked) button.current?.focus({ preventScroll: true });
  }, [asked]);
  return (
    <div className={styles.refusal}>
      <Code size={18} aria-hidden="true" />
      <p role="alert">Highlights in code are turned off.</p>
      <Button ref={button} onClick={onAllow}>
        Allow highlights in code
      </Button>
    </div>
  );
}

const BAR_HEIGHT = 52;
const BAR_HALF = 130;
const REFUSAL_HALF = 262;
const TOP_EDGE = 64;

/** Above the first line of the selection, or below the last one, in page coordinates. */
function usePlace(
  text: ReadingText,
  selected: SelectedPassage | null,
  half: number,
): CSSProperties | null {
  const [place, setPlace] = useState<CSSProperties | null>(null);
  useLayoutEffect(() => {
    if (!selected) {
      setPlace(null);
      return;
    }
    const lines = text.lines(selected.passage);
    const [first, last] = [lines[0], lines.at(-1)];
    if (!first || !last) return;
    const fitsAbove = first.top - BAR_HEIGHT > TOP_EDGE;
    const fitsBelow = last.bottom + BAR_HEIGHT < window.innerHeight;
    const below = Math.min(last.bottom, window.innerHeight - BAR_HEIGHT - 16) + 8;
    const top = fitsAbove ? first.top - BAR_HEIGHT : fitsBelow ? last.bottom + 8 : below;
    const center = (fitsAbove ? first.left + first.right : last.left + last.right) / 2;
    const column = text.root.getBoundingClientRect();
    const left = Math.min(Math.max(center, column.left + half), column.right - half);
    setPlace({ top: top + window.scrollY, left });
  }, [text, selected, half]);
  return place;
}
