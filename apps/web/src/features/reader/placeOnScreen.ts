import type { ReadingText } from "./text/readingText";

/** The line people read from: just under the bar. */
const READING_LINE = 72;

/** The offset of the first text on the screen; null where there is none. */
export function offsetOnScreen(text: ReadingText): number | null {
  const top = text.root.getBoundingClientRect().top;
  return top > 0 ? 0 : text.offsetBelow(READING_LINE);
}

const PROBE_STEP = 40;

/** Up to where the text has come on the screen: its end, or the last line; null without one. */
export function offsetSeenTo(text: ReadingText, length: number): number | null {
  const bottom = window.innerHeight;
  const last = text.firstLine({ start: Math.max(0, length - 1), end: length });
  const end = Math.min(last?.bottom || Infinity, text.root.getBoundingClientRect().bottom);
  if (end <= bottom) return length;
  for (let y = bottom - PROBE_STEP; y > READING_LINE; y -= PROBE_STEP) {
    const offset = text.offsetBelow(y);
    const line = offset === null ? null : text.firstLine({ start: offset, end: offset + 1 });
    if (line && line.top < bottom) return offset;
  }
  return null;
}

/** Scrolls until the line of an offset is at a height of the window. */
export function scrollToOffset(text: ReadingText, offset: number, top = READING_LINE): void {
  text.scrollTo(offset, top);
}
