import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { passageOf, type ReaderHighlight } from "./data/readerHighlight";
import type { ArticleText } from "./text/articleText";
import { type CardBox, layoutCards } from "./text/layoutCards";

const MAX_MOVING = 100;

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
  const lines = useRef<Lines>(new Map());
  const frame = useRef(0);
  const arrangeSoon = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() =>
      arrange(pane.current, latest.current, lines.current),
    );
  }, [pane]);

  const { text, highlights, activeKey } = input;
  useLayoutEffect(() => {
    latest.current = { text, highlights, activeKey };
    arrange(pane.current, latest.current, lines.current);
  }, [pane, text, highlights, activeKey]);

  useEffect(() => {
    const observer = new ResizeObserver(() => {
      lines.current.clear();
      arrangeSoon();
    });
    observer.observe(text.root);
    if (pane.current) observer.observe(pane.current);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame.current);
    };
  }, [text, pane, arrangeSoon]);
  useCardHeights(pane, highlights, arrangeSoon);
}

/** Tells when a card grows or shrinks. A card already watched is not watched anew. */
function useCardHeights(
  pane: RefObject<HTMLElement | null>,
  highlights: readonly ReaderHighlight[],
  onChange: () => void,
): void {
  const watched = useRef(new Set<HTMLElement>());
  const observer = useRef<ResizeObserver | null>(null);
  useEffect(() => {
    const cards = watched.current;
    observer.current = new ResizeObserver(onChange);
    return () => {
      observer.current?.disconnect();
      cards.clear();
    };
  }, [onChange]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other highlights, other cards.
  useEffect(() => {
    const shown = new Set(cardsIn(pane.current));
    for (const card of watched.current) {
      if (shown.has(card)) continue;
      observer.current?.unobserve(card);
      watched.current.delete(card);
    }
    for (const card of shown) {
      if (watched.current.has(card)) continue;
      observer.current?.observe(card);
      watched.current.add(card);
    }
  }, [pane, highlights, onChange]);
}

function cardsIn(pane: HTMLElement | null): HTMLElement[] {
  return [...(pane?.querySelectorAll<HTMLElement>("[data-key]") ?? [])];
}

/** Tops of first lines by offset, from the top of the text; they last until the text changes. */
type Lines = Map<number, number>;

function arrange(
  pane: HTMLElement | null,
  { text, highlights, activeKey }: CardLayoutInput,
  lines: Lines,
): void {
  if (!pane) return;
  const elements = new Map(cardsIn(pane).map((card) => [card.dataset.key ?? "", card]));
  const textTop = text.root.getBoundingClientRect().top;
  const shift = textTop - pane.getBoundingClientRect().top;
  const lineTop = (highlight: ReaderHighlight) => {
    const known = lines.get(highlight.start_offset);
    if (known !== undefined) return known;
    const top = (text.firstLine(passageOf(highlight))?.top ?? textTop) - textTop;
    lines.set(highlight.start_offset, top);
    return top;
  };
  // All measuring first, then all moving: mixing the two would make the browser lay out each time.
  const boxes = highlights.map((highlight) => ({
    id: highlight.key,
    anchor: lineTop(highlight) + shift,
    height: elements.get(highlight.key)?.offsetHeight ?? 0,
  }));
  boxes.sort((a, b) => a.anchor - b.anchor);
  moveCards(pane, boxes, elements, layoutCards(boxes, activeKey));
}

function moveCards(
  pane: HTMLElement,
  boxes: readonly CardBox[],
  elements: ReadonlyMap<string, HTMLElement>,
  tops: ReadonlyMap<string, number>,
): void {
  let bottom = 0;
  for (const { id, height } of boxes) {
    const top = tops.get(id) ?? 0;
    const card = elements.get(id);
    const place = `translateY(${Math.round(top)}px)`;
    if (card && card.style.transform !== place) card.style.transform = place;
    bottom = Math.max(bottom, top + height);
  }
  pane.style.minHeight = `${Math.ceil(bottom)}px`;
  // So many cards on their way at once would cost more than the motion is worth.
  pane.dataset.still = String(boxes.length > MAX_MOVING);
}
