import { useCallback, useLayoutEffect, useRef, useState } from "react";
import type { HighlightActions } from "../data/highlightActions";
import type { ReaderHighlight } from "../data/readerHighlight";
import { cardId } from "../HighlightCard";
import { revealPassage } from "../reveal";
import type { ReadingText } from "../text/readingText";
import { useAdoptedId } from "./useAdoptedId";

interface ActiveHighlightInput {
  text: ReadingText | null;
  highlights: readonly ReaderHighlight[];
  wide: boolean;
  actions: HighlightActions;
  announce: (words: string) => void;
}

export type ActiveHighlight = ReturnType<typeof useActiveHighlight>;

/** The highlight the person is on, whether they write its note, and whether the cards are open. */
export function useActiveHighlight(input: ActiveHighlightInput) {
  const { text, highlights, wide, actions, announce } = input;
  const [activeId, setActiveId] = useState<string | null>(null);
  // How often the person asked to write the note of this highlight.
  const [writing, setWriting] = useState(0);
  const [sheetOpen, setSheetOpen] = useState(false);
  const focusCard = useCardFocus();
  useAdoptedId(actions, setActiveId);
  const find = useCallback(
    (id: string | null) => highlights.find((one) => one.id === id) ?? null,
    [highlights],
  );

  const activate = useCallback(
    (id: string | null, { focus = false, reveal = false } = {}) => {
      setActiveId(id);
      setWriting(0);
      const highlight = find(id);
      if (!highlight || !text) return;
      setSheetOpen(true);
      if (focus) focusCard(highlight.id);
      if (reveal) revealPassage(text, highlight.passage, !wide);
      announce(`Highlight ${highlights.indexOf(highlight) + 1} of ${highlights.length}`);
    },
    [find, highlights, text, wide, announce, focusCard],
  );

  const write = useCallback((id: string) => {
    setActiveId(id);
    setSheetOpen(true);
    setWriting((times) => times + 1);
  }, []);

  const leave = useCallback(() => {
    setActiveId(null);
    setWriting(0);
    text?.root.focus({ preventScroll: true });
  }, [text]);

  return {
    active: find(activeId),
    activeId,
    setActiveId,
    writing,
    sheetOpen,
    setSheetOpen,
    find,
    activate,
    write,
    leave,
    focusCard,
  };
}

/** Gives focus to a card, which may only just come onto the page. */
function useCardFocus(): (id: string) => void {
  const next = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (!next.current) return;
    const card = document.getElementById(cardId(next.current));
    next.current = null;
    card?.focus({ preventScroll: true });
  });
  return useCallback((id) => {
    next.current = id;
  }, []);
}
