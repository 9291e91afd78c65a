import {
  type CanonicalMap,
  type Offsets,
  offsetsToRange,
  rangeToOffsets,
} from "../../../canonical";
import { firstBoxOf } from "../text/lineBoxes";
import type { PageBox } from "./pageBox";

/** A page whose text is there. */
export interface DrawnPage {
  readonly box: PageBox;
  /** Where its text begins in the whole text. */
  readonly start: number;
  /** Null when its text is not the server's: then nothing is drawn or made on it. */
  readonly map: CanonicalMap | null;
}

/** What of the whole text is on a page. */
export function passageIn({ start, map }: DrawnPage): Offsets[] {
  const length = map?.codePoints.length ?? 0;
  return length > 0 ? [{ start, end: start + length }] : [];
}

/** One range from the first to the last drawn character of a passage. */
export function drawnRange(pages: readonly DrawnPage[], passage: Offsets): Range | null {
  let whole: Range | null = null;
  for (const page of pages) {
    const { map, start } = page;
    const [here] = passageIn(page);
    if (!map || !here || here.end <= passage.start || here.start >= passage.end) continue;
    const inPage = { start: passage.start - start, end: passage.end - start };
    const range = offsetsToRange(map, inPage);
    if (range && whole) whole.setEnd(range.endContainer, range.endOffset);
    else whole ??= range;
  }
  return whole;
}

/** What a range covers; null when it touches a page on which nothing can be made. */
export function selectedIn(pages: readonly DrawnPage[], range: Range): Offsets | null {
  const touched = pages.filter(({ box }) => box.drawn?.text && range.intersectsNode(box.element));
  if (touched.some(({ map }) => !map)) return null;
  const found = touched.flatMap(({ map, start }) => {
    const here = map && rangeToOffsets(map, range);
    return here ? [{ start: start + here.start, end: start + here.end }] : [];
  });
  const [first, last] = [found[0], found.at(-1)];
  return first && last ? { start: first.start, end: last.end } : null;
}

/** The box of the line of an offset, if its page is drawn. */
export function lineOf(pages: readonly DrawnPage[], offset: number): DOMRect | null {
  for (const page of pages) {
    const [here] = passageIn(page);
    if (!page.map || !here || offset < here.start || offset > here.end) continue;
    const at = Math.min(offset - page.start, page.map.codePoints.length - 1);
    const range = offsetsToRange(page.map, { start: at, end: at + 2 });
    if (range) return firstBoxOf(range);
  }
  return null;
}

/** The offset of the highest line whose lower edge is below a height of the window. */
export function lineBelow(map: CanonicalMap, y: number): number | null {
  let best: { top: number; offset: number } | null = null;
  for (const [index, node] of map.nodes.entries()) {
    const box = node.parentElement?.getBoundingClientRect();
    if (!box || box.bottom <= y + box.height / 2) continue;
    if (!best || box.top < best.top - 1) best = { top: box.top, offset: map.starts[index] ?? 0 };
  }
  return best?.offset ?? null;
}
