import { useCallback, useRef, useState } from "react";
import type { Offsets } from "../../../canonical";
import type { HighlightColor } from "../colors";
import type { HighlightActions } from "../data/highlightActions";
import type { ReaderHighlight } from "../data/readerHighlight";
import { describeSpan } from "../text/describeSpan";
import type { ReadingText, SelectedPassage } from "../text/readingText";
import type { TextSpace } from "../text/textSpace";
import { readSelection } from "../useSelectedPassage";

interface MarkingInput {
  text: ReadingText | null;
  space: TextSpace | null;
  highlights: readonly ReaderHighlight[];
  selected: SelectedPassage | null;
  actions: HighlightActions;
  allowCode: boolean;
  onAllowCode: () => void;
  announce: (words: string) => void;
}

export type Marking = ReturnType<typeof useMarking>;

/** Highlights the selected passage, and says why not where code may not be highlighted. */
export function useMarking(input: MarkingInput) {
  const { text, space, highlights, selected, actions, allowCode, onAllowCode, announce } = input;
  // The passage a key was pressed for in vain: the way out then takes focus.
  const [refused, setRefused] = useState<Offsets | null>(null);
  const lastColor = useRef<HighlightColor>("yellow");

  const mark = useCallback(
    (color: HighlightColor): string | null => {
      const chosen = text && (readSelection(text) ?? selected);
      if (!chosen) return null;
      if (chosen.code && !allowCode) {
        setRefused(chosen.passage);
        return null;
      }
      lastColor.current = color;
      const piece = text.pieceAt(chosen.passage.start);
      const place = space?.placeOf(chosen.passage.start);
      if (!piece || !place) return null;
      const there = highlights.find(({ passage }) => isSame(passage, chosen.passage));
      document.getSelection()?.removeAllRanges();
      if (there) {
        if (there.color !== color) actions.update(there, { color });
        return there.id;
      }
      announce(`Highlighted in ${color}`);
      const span = describeSpan(piece, chosen.passage);
      return actions.create(place.fragmentId, { ...span, color });
    },
    [text, selected, highlights, actions, space, allowCode, announce],
  );

  const allow = useCallback(() => {
    onAllowCode();
    setRefused(null);
    announce("Highlights in code are allowed. Choose a colour.");
    text?.root.focus({ preventScroll: true });
  }, [onAllowCode, announce, text]);

  const refusal =
    selected?.code && !allowCode
      ? { asked: isSame(selected.passage, refused), onAllow: allow }
      : null;
  return { mark, lastColor, refusal };
}

function isSame(a: Offsets, b: Offsets | null): boolean {
  return a.start === b?.start && a.end === b.end;
}
