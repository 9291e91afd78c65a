import { type CanonicalMap, offsetOfPoint, offsetsToSegments } from "../../../canonical";

const BLOCKS =
  "p, li, dd, dt, td, th, h1, h2, h3, h4, h5, h6, pre, blockquote, figcaption, caption, summary," +
  " [data-paragraph]";
// Between two blocks there are at most two newlines.
const LONGEST_GAP = 2;

/** The offset of the first text in a node or after its beginning. */
export function startOf(map: CanonicalMap, node: Node): number {
  const text = document.createTreeWalker(node, NodeFilter.SHOW_TEXT).nextNode();
  return text ? offsetOfPoint(map, text as Text, 0) : map.codePoints.length;
}

/** The text node with the first text at or after an offset; the last one at the end. */
export function textNodeAt(map: CanonicalMap, offset: number): Text | null {
  const last = map.codePoints.length - 1;
  const start = Math.max(0, Math.min(offset, last));
  return offsetsToSegments(map, { start, end: start + LONGEST_GAP + 1 })[0]?.node ?? null;
}

/** The paragraph, list item, cell or heading at an offset; null for text that is in none. */
export function blockAt(map: CanonicalMap, offset: number): HTMLElement | null {
  const block = textNodeAt(map, offset)?.parentElement?.closest<HTMLElement>(BLOCKS);
  return block && block !== map.root && map.root.contains(block) ? block : null;
}
