import type { ReadingText } from "./text/readingText";

/** The line people read from: just under the bar. */
const READING_LINE = 72;

/** The offset of the first text on the screen; null where there is none. */
export function offsetOnScreen(text: ReadingText): number | null {
  const top = text.root.getBoundingClientRect().top;
  return top > 0 ? 0 : text.offsetBelow(READING_LINE);
}

/** Scrolls until the line of an offset is at a height of the window. */
export function scrollToOffset(text: ReadingText, offset: number, top = READING_LINE): void {
  text.scrollTo(offset, top);
}
