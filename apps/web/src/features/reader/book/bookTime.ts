import type { PlacedEntry } from "../text/outlineContents";

/** Deeper entries are parts of a chapter, not chapters. */
const CHAPTER_DEPTH = 1;

/** "under a minute", "8 min", "3 h 20 min". */
export function timeWords(minutes: number): string {
  const count = Math.round(minutes);
  if (count < 1) return "under a minute";
  const hours = Math.floor(count / 60);
  const rest = count % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

export interface ChapterBounds {
  readonly start: number;
  readonly end: number;
}

/** From where to where the chapter goes that an offset is in, by the contents of the book. */
export function chapterAround(
  entries: readonly PlacedEntry[],
  offset: number,
  length: number,
): ChapterBounds {
  const starts = entries
    .filter(({ depth }) => depth <= CHAPTER_DEPTH)
    .map(({ offset: start }) => start)
    .sort((a, b) => a - b);
  const start = starts.findLast((one) => one <= offset) ?? 0;
  const end = starts.find((one) => one > offset) ?? length;
  return { start, end };
}
