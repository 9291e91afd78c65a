import type { Offsets } from "../../../canonical";
import type { ReadingText } from "../text/readingText";

/** So few are marked all at once; of more, only those near the screen. */
const FEW = 400;

/** The hits to be marked now. They are in reading order, so two searches by halves are enough. */
export function nearScreen(text: ReadingText, hits: readonly Offsets[]): readonly Offsets[] {
  if (hits.length <= FEW) return hits;
  const height = window.innerHeight;
  const first = countAbove(text, hits, -height);
  const last = countAbove(text, hits, height * 2);
  return hits.slice(first, Math.min(last, first + FEW * 2));
}

/** How many of the hits stand above a height of the window. */
function countAbove(text: ReadingText, hits: readonly Offsets[], height: number): number {
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const hit = hits[middle];
    const top = hit && text.firstLine(hit)?.top;
    if (top === undefined || top < height) low = middle + 1;
    else high = middle;
  }
  return low;
}
