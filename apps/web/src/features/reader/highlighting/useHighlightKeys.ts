import type { ReaderHighlight } from "../data/readerHighlight";
import type { CardHandlers } from "../HighlightCard";
import { selectFirstWord, stepSelection } from "../keyboardSelect";
import type { ReadingText, SelectedPassage } from "../text/readingText";
import type { Pointing } from "../usePointing";
import { useReaderKeys } from "../useReaderKeys";
import { readSelection } from "../useSelectedPassage";
import type { ActiveHighlight } from "./useActiveHighlight";
import type { Marking } from "./useMarking";
import type { Placing } from "./usePlacing";
import type { Reselecting } from "./useReselecting";

interface HighlightKeysInput {
  text: ReadingText | null;
  highlights: readonly ReaderHighlight[];
  selected: SelectedPassage | null;
  current: ActiveHighlight;
  pointing: Pointing;
  marking: Marking;
  moving: Reselecting;
  placing: Placing;
  handlers: CardHandlers;
  onNote: () => void;
  announce: (words: string) => void;
}

/** What the keys of the reader do to the selection and to the highlight one is on. */
export function useHighlightKeys(input: HighlightKeysInput): void {
  const { text, highlights, current, pointing, marking, handlers, onNote, announce } = input;
  const { active, activate, write } = current;
  useReaderKeys({
    step: (direction) => {
      const index = active ? highlights.indexOf(active) + direction : direction > 0 ? 0 : -1;
      const next = highlights.at(index >= highlights.length ? 0 : index);
      if (next) activate(next.id, { focus: true, reveal: true });
      else announce("There are no highlights yet");
    },
    color: (color) => {
      if (text && readSelection(text)) marking.mark(color);
      else if (active) handlers.color(active.id, color);
    },
    note: () => {
      if (text && readSelection(text)) onNote();
      else if (active) write(active.id);
    },
    remove: () => {
      if (active) handlers.remove(active.id);
    },
    escape: () => letGo(input),
    list: () => {
      if (!active || !pointing.openStackOf(active.id)) announce("No highlights overlap here");
    },
    startSelecting: () => text && selectFirstWord(text),
    moveSelection: (step) => {
      if (!text || document.activeElement !== text.root || !readSelection(text)) return false;
      stepSelection(text, step);
      return true;
    },
  });
}

/** Ends what was begun last: a list, a choice, a selection, the highlight, the open cards. */
function letGo({ selected, current, pointing, moving, placing }: HighlightKeysInput): void {
  const { activeId } = current;
  if (pointing.stack) {
    pointing.closeStack();
    if (activeId) current.focusCard(activeId);
  } else if (placing.placing) placing.cancel();
  else if (moving.reselecting) moving.cancel();
  else if (selected) document.getSelection()?.removeAllRanges();
  else if (activeId) current.leave();
  else current.setSheetOpen(false);
}
