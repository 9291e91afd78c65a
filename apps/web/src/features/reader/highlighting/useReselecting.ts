import { useCallback, useState } from "react";
import type { HighlightActions } from "../data/highlightActions";
import { describeSpan } from "../text/describeSpan";
import type { ReadingText, SelectedPassage } from "../text/readingText";
import { readSelection } from "../useSelectedPassage";
import type { ActiveHighlight } from "./useActiveHighlight";
import { useAdoptedId } from "./useAdoptedId";

interface ReselectingInput {
  text: ReadingText | null;
  selected: SelectedPassage | null;
  current: ActiveHighlight;
  actions: HighlightActions;
  allowCode: boolean;
}

export type Reselecting = ReturnType<typeof useReselecting>;

/** Chooses another passage for a highlight. */
export function useReselecting({ text, selected, current, actions, allowCode }: ReselectingInput) {
  const [id, setId] = useState<string | null>(null);
  useAdoptedId(actions, setId);
  const { find, setActiveId } = current;
  const cancel = useCallback(() => setId(null), []);
  const apply = useCallback(() => {
    const highlight = find(id);
    const now = text && (readSelection(text) ?? selected);
    if (!highlight || !now || (now.code && !allowCode)) return;
    actions.update(highlight, describeSpan(text.canonical, now.passage));
    setId(null);
    document.getSelection()?.removeAllRanges();
    setActiveId(highlight.id);
  }, [actions, allowCode, find, setActiveId, id, selected, text]);
  return { reselecting: id !== null, start: setId, cancel, apply };
}
