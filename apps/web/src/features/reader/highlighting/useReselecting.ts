import { useCallback, useState } from "react";
import { showToast } from "../../../ui/toasts";
import type { HighlightActions } from "../data/highlightActions";
import { describeSpan } from "../text/describeSpan";
import type { ReadingText, SelectedPassage } from "../text/readingText";
import type { TextSpace } from "../text/textSpace";
import { readSelection } from "../useSelectedPassage";
import type { ActiveHighlight } from "./useActiveHighlight";
import { useAdoptedId } from "./useAdoptedId";

interface ReselectingInput {
  text: ReadingText | null;
  space: TextSpace | null;
  selected: SelectedPassage | null;
  current: ActiveHighlight;
  actions: HighlightActions;
  allowCode: boolean;
}

export type Reselecting = ReturnType<typeof useReselecting>;

/** Chooses another passage for a highlight. */
export function useReselecting(input: ReselectingInput) {
  const { text, space, selected, current, actions, allowCode } = input;
  const [id, setId] = useState<string | null>(null);
  useAdoptedId(actions, setId);
  const { find, setActiveId } = current;
  const cancel = useCallback(() => setId(null), []);
  const apply = useCallback(() => {
    const highlight = find(id);
    const now = text && (readSelection(text) ?? selected);
    if (!highlight || !now || (now.code && !allowCode)) return;
    const piece = text.pieceAt(now.passage.start);
    if (!piece) return;
    if (space?.placeOf(now.passage.start)?.fragmentId !== highlight.fragment_id) {
      showToast("A highlight stays in its chapter. Make a new one here instead.", "error");
      return;
    }
    actions.update(highlight, describeSpan(piece, now.passage));
    setId(null);
    document.getSelection()?.removeAllRanges();
    setActiveId(highlight.id);
  }, [actions, allowCode, find, setActiveId, id, selected, text, space]);
  return { reselecting: id !== null, start: setId, cancel, apply };
}
