import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { CardMover } from "./cardMover";
import type { ReaderHighlight } from "./data/readerHighlight";
import { layoutCards } from "./text/layoutCards";
import type { ReadingText } from "./text/readingText";

interface CardLayoutInput {
  text: ReadingText;
  highlights: readonly ReaderHighlight[];
  activeId: string | null;
}

/**
 * Keeps each card level with its text. The cards scroll with the page, so scrolling costs
 * nothing; they are arranged again when the text, a card or the list changes its shape.
 */
export function useCardLayout(
  pane: RefObject<HTMLElement | null>,
  above: RefObject<HTMLElement | null>,
  input: CardLayoutInput,
): void {
  const latest = useRef(input);
  const arranger = useRef<Arranger>({ lines: new Map(), mover: new CardMover() });
  const frame = useRef(0);
  const arrangeSoon = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() =>
      arrange(pane.current, latest.current, arranger.current),
    );
  }, [pane]);

  const { text, highlights, activeId } = input;
  useLayoutEffect(() => {
    latest.current = { text, highlights, activeId };
    arrange(pane.current, latest.current, arranger.current);
  }, [pane, text, highlights, activeId]);

  useEffect(() => {
    const { lines, mover } = arranger.current;
    const observer = new ResizeObserver((changes) => {
      // The pane changes its height with every card; the lines of the text stay where they are.
      if (changes.some(({ target }) => target === text.root)) lines.clear();
      arrangeSoon();
    });
    observer.observe(text.root);
    const stop = text.onChange(() => {
      lines.clear();
      arrangeSoon();
    });
    if (pane.current) observer.observe(pane.current);
    // What grows there moves the whole pane.
    if (above.current) observer.observe(above.current);
    return () => {
      stop();
      observer.disconnect();
      cancelAnimationFrame(frame.current);
      mover.stop();
    };
  }, [text, pane, above, arrangeSoon]);
  useCardHeights(pane, highlights, arrangeSoon);
}

/** Tells when a card grows or shrinks. A card is watched only once. */
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
  return [...(pane?.querySelectorAll<HTMLElement>("[data-highlight-id]") ?? [])];
}

interface Arranger {
  /** Tops of first lines by offset, from the top of the text; they last until the text changes. */
  lines: Map<number, number>;
  mover: CardMover;
}

function arrange(
  pane: HTMLElement | null,
  { text, highlights, activeId }: CardLayoutInput,
  { lines, mover }: Arranger,
): void {
  if (!pane) return;
  const elements = new Map(cardsIn(pane).map((card) => [card.dataset.highlightId ?? "", card]));
  const textTop = text.root.getBoundingClientRect().top;
  const paneTop = pane.getBoundingClientRect().top;
  const shift = textTop - paneTop;
  const lineTop = ({ passage }: ReaderHighlight) => {
    const known = lines.get(passage.start);
    if (known !== undefined) return known;
    const top = (text.firstLine(passage)?.top ?? textTop) - textTop;
    lines.set(passage.start, top);
    return top;
  };
  // All measuring first, then all moving: mixing the two would make the browser lay out each time.
  const boxes = highlights.map((highlight) => ({
    id: highlight.id,
    anchor: lineTop(highlight) + shift,
    height: elements.get(highlight.id)?.offsetHeight ?? 0,
  }));
  boxes.sort((a, b) => a.anchor - b.anchor);
  mover.move(pane, paneTop, { boxes, elements, tops: layoutCards(boxes, activeId) });
}
