import { useStableHandlers } from "../../../ui/useStableHandlers";
import type { HighlightActions } from "../data/highlightActions";
import { type CardHandlers, cardId } from "../HighlightCard";
import type { ActiveHighlight } from "./useActiveHighlight";
import type { Marking } from "./useMarking";
import type { Reselecting } from "./useReselecting";

interface CardHandlersInput {
  current: ActiveHighlight;
  marking: Marking;
  moving: Reselecting;
  actions: HighlightActions;
}

/**
 * What the buttons of a card do. Always the same object: a new one would render every card again
 * whenever a highlight changes.
 */
export function useCardHandlers(input: CardHandlersInput): CardHandlers {
  const { current, marking, moving, actions } = input;
  return useStableHandlers<CardHandlers>({
    activate: (id) => current.activate(id, { reveal: true }),
    color: (id, color) => {
      const highlight = current.find(id);
      marking.lastColor.current = color;
      if (highlight) actions.update(highlight, { color });
    },
    write: current.write,
    reselect: (id) => {
      moving.start(id);
      current.setSheetOpen(false);
    },
    remove: (id) => {
      const highlight = current.find(id);
      if (!highlight) return;
      actions.remove(highlight);
      current.leave();
    },
    leave: (id) => document.getElementById(cardId(id))?.focus({ preventScroll: true }),
  });
}
