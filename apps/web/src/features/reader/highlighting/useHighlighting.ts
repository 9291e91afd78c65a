import { useCallback, useState } from "react";
import type { Unplaced } from "../../../api/unplaced";
import type { HighlightActions } from "../data/highlightActions";
import type { ReaderHighlight } from "../data/readerHighlight";
import type { ReadingText } from "../text/readingText";
import type { TextSpace } from "../text/textSpace";
import { usePointing } from "../usePointing";
import { useSelectedPassage } from "../useSelectedPassage";
import { useActiveHighlight } from "./useActiveHighlight";
import { useCardHandlers } from "./useCardHandlers";
import { useDrawing } from "./useDrawing";
import { useHighlightKeys } from "./useHighlightKeys";
import { useHighlightLink } from "./useHighlightLink";
import { useMarking } from "./useMarking";
import { usePlacing } from "./usePlacing";
import { usePress } from "./usePress";
import { useReselecting } from "./useReselecting";

interface HighlightingInput {
  mediaId: string;
  /** Null until the text is on the page and is the server's. */
  text: ReadingText | null;
  /** Where the text lies in the document; null while nothing can be highlighted. */
  space: TextSpace | null;
  highlights: readonly ReaderHighlight[];
  loaded: boolean;
  /** The cards are beside the text, not over it. */
  wide: boolean;
  actions: HighlightActions;
  /** Whether highlights may touch code, and how to allow it. */
  allowCode: boolean;
  onAllowCode: () => void;
}

export type Highlighting = ReturnType<typeof useHighlighting>;

/** Everything that happens between the text, the cards, the pointer and the keys. */
export function useHighlighting(input: HighlightingInput) {
  const { text, space, highlights, loaded, wide, actions, allowCode } = input;
  const [announcement, announce] = useState("");
  const selected = useSelectedPassage(text);
  const current = useActiveHighlight({ text, highlights, wide, actions, announce });
  const { active, activeId, activate, write, writing, sheetOpen, setSheetOpen } = current;
  const pointing = usePointing(text, usePress(activeId, wide, activate));
  const { pointedIds, stack, closeStack } = pointing;
  useDrawing(text, highlights, active, pointedIds);
  const linked = useHighlightLink({ text, highlights, loaded, active, activate });
  const marking = useMarking({ ...input, selected, announce });
  const moving = useReselecting({ text, space, selected, current, actions, allowCode });
  const onPlaced = useCallback((id: string) => activate(id, { focus: true }), [activate]);
  const placing = usePlacing({ ...input, selected, onPlaced, announce });
  const handlers = useCardHandlers({ current, marking, moving, actions });

  const { mark, lastColor } = marking;
  const onNote = useCallback(() => {
    const id = mark(lastColor.current);
    if (id) write(id);
  }, [mark, lastColor, write]);
  const parts = { current, pointing, marking, moving, placing, handlers };
  useHighlightKeys({ text, highlights, selected, ...parts, onNote, announce });

  return {
    linked,
    selected,
    sheetOpen,
    setSheetOpen,
    announcement,
    pane: { activeId, pointedIds, writing, handlers },
    /** Has the person choose the passage of something that was not found in the text. */
    place: (one: Unplaced) => {
      setSheetOpen(false);
      placing.start(one);
    },
    bar: {
      selected,
      placing: placing.placing && {
        quote: placing.placing.quote,
        onPlace: () => void placing.apply(),
        onCancel: placing.cancel,
      },
      refusal: marking.refusal,
      reselecting: moving.reselecting,
      onHighlight: mark,
      onNote,
      onReselect: moving.apply,
      onCancel: moving.cancel,
    },
    stack: stack && {
      stack,
      activeId,
      onChoose: (id: string) => {
        closeStack();
        activate(id, { focus: true, reveal: !wide });
      },
      onClose: closeStack,
    },
  };
}
