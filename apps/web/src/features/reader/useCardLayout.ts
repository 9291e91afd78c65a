import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { passageOf, type ReaderHighlight } from "./data/readerHighlight";
import type { ArticleText } from "./text/articleText";
import { layoutCards } from "./text/layoutCards";

interface CardLayoutInput {
  text: ArticleText;
  highlights: readonly ReaderHighlight[];
  activeKey: string | null;
}

/**
 * Keeps each card level with its text. The cards scroll with the page, so scrolling costs
 * nothing; they are arranged anew when the text, a card or the list changes its shape.
 */
export function useCardLayout(pane: RefObject<HTMLElement | null>, input: CardLayoutInput): void {
  const latest = useRef(input);
  const frame = useRef(0);
  const arrangeSoon = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => arrange(pane.current, latest.current));
  }, [pane]);

  useLayoutEffect(() => {
    latest.current = input;
    arrange(pane.current, input);
  });

  const { text, highlights } = input;
  useEffect(() => {
    const observer = new ResizeObserver(arrangeSoon);
    observer.observe(text.root);
    if (pane.current) observer.observe(pane.current);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame.current);
    };
  }, [text, pane, arrangeSoon]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other highlights, other cards.
  useEffect(() => {
    const observer = new ResizeObserver(arrangeSoon);
    for (const card of cardsIn(pane.current)) observer.observe(card);
    return () => observer.disconnect();
  }, [pane, arrangeSoon, highlights]);
}

function cardsIn(pane: HTMLElement | null): HTMLElement[] {
  return [...(pane?.querySelectorAll<HTMLElement>("[data-key]") ?? [])];
}

function arrange(pane: HTMLElement | null, { text, highlights, activeKey }: CardLayoutInput): void {
  if (!pane) return;
  const elements = new Map(cardsIn(pane).map((card) => [card.dataset.key ?? "", card]));
  const paneTop = pane.getBoundingClientRect().top;
  // All measuring first, then all moving: mixing the two would make the browser lay out each time.
  const boxes = highlights.map((highlight) => ({
    id: highlight.key,
    anchor: (text.firstLine(passageOf(highlight))?.top ?? paneTop) - paneTop,
    height: elements.get(highlight.key)?.offsetHeight ?? 0,
  }));
  const inPlaceOrder = boxes.sort((a, b) => a.anchor - b.anchor);
  const tops = layoutCards(inPlaceOrder, activeKey);
  let bottom = 0;
  for (const { id, height } of inPlaceOrder) {
    const top = tops.get(id) ?? 0;
    const card = elements.get(id);
    if (card) card.style.transform = `translateY(${Math.round(top)}px)`;
    bottom = Math.max(bottom, top + height);
  }
  pane.style.minHeight = `${Math.ceil(bottom)}px`;
}
