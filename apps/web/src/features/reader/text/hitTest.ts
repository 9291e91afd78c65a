import { type CanonicalMap, offsetOfPoint } from "../../../canonical";

/** Lines are taller than their letters; a pointer between two lines still means the nearer one. */
const SLACK = 6;

/** The offset of the character at a point of the window; null when there is no text just there. */
export function offsetAt(map: CanonicalMap, x: number, y: number): number | null {
  const caret = caretAt(x, y);
  if (!caret || !isTextIn(map.root, caret.node)) return null;
  const { node } = caret;
  // A caret stands between two characters; the pointer is on one of them.
  for (const unit of [caret.offset, caret.offset - 1]) {
    if (unit >= 0 && unit < node.length && isAt(node, unit, x, y)) {
      return offsetOfPoint(map, node, unit);
    }
  }
  return null;
}

export function isTextIn(root: Element, node: Node): node is Text {
  return node.nodeType === Node.TEXT_NODE && root.contains(node);
}

/** Browsers have two names for this, and one of them is deprecated. */
export function caretAt(x: number, y: number): { node: Node; offset: number } | null {
  if (document.caretPositionFromPoint) {
    const found = document.caretPositionFromPoint(x, y);
    return found && { node: found.offsetNode, offset: found.offset };
  }
  const range = document.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}

function isAt(node: Text, unit: number, x: number, y: number): boolean {
  const range = document.createRange();
  range.setStart(node, unit);
  range.setEnd(node, unit + 1);
  for (const box of range.getClientRects()) {
    const inside = x >= box.left - 1 && x <= box.right + 1;
    if (inside && y >= box.top - SLACK && y <= box.bottom + SLACK) return true;
  }
  return false;
}
