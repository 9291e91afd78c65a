import { type CanonicalMap, offsetOfPoint, offsetsToRange } from "../../../canonical";
import { blockAt, startOf, textNodeAt } from "./blocks";
import { caretAt, isTextIn } from "./hitTest";
import { firstBoxOf } from "./lineBoxes";
import type { Landing } from "./readingText";

/** Lines of a text that is on the page as a whole. */

// An image or a gap may be at the place looked at.
const PROBE_DEPTH = 400;
const PROBE_STEP = 12;
/** How much is marked where a jump arrives; of code, about a line. */
const LONGEST_MARK = 600;
const ONE_LINE = 80;

/** The box of the line of an offset. */
export function lineAt(map: CanonicalMap, start: number, end = start + 2): DOMRect | null {
  // The first character is enough, and cheap; a line break has no box, so look a little further.
  const range = offsetsToRange(map, { start, end: Math.min(end, start + 2) });
  return range ? firstBoxOf(range) : null;
}

/** The offset of the first line below a height of the window, if one is near. */
export function offsetUnder(map: CanonicalMap, root: HTMLElement, y: number): number | null {
  const box = root.getBoundingClientRect();
  const x = root.dir === "rtl" ? box.right - 1 : box.left + 1;
  const end = Math.min(y + PROBE_DEPTH, box.bottom);
  for (let probe = Math.max(y, box.top + 1); probe < end; probe += PROBE_STEP) {
    const caret = caretAt(x, probe);
    if (caret && isTextIn(root, caret.node)) return offsetOfPoint(map, caret.node, caret.offset);
  }
  return null;
}

/** Where a jump to an offset arrives: from there to the end of its block. */
export function landingIn(map: CanonicalMap, root: HTMLElement, offset: number): Landing {
  const start = Math.max(0, Math.min(offset, map.codePoints.length - 1));
  const block = blockAt(map, start);
  const end = block ? startOf(map, block) + block.textContent.length : start + 1;
  const longest = block?.matches("pre") ? ONE_LINE : LONGEST_MARK;
  const passage = { start, end: Math.max(start + 3, Math.min(end, start + longest)) };
  // Back at the reference of a note, it can be opened again; other links are part of their block.
  const node = textNodeAt(map, offset);
  const link = node?.parentElement?.closest<HTMLElement>("a[aria-haspopup]");
  return { passage, element: link ?? block ?? root };
}
