/** The boxes of the lines of a range, in window coordinates. */
export function boxesOf(range: Range | null): DOMRect[] {
  return range ? [...range.getClientRects()].filter(({ width }) => width > 0) : [];
}

/** The box of its first line. */
export function firstBoxOf(range: Range): DOMRect {
  for (const box of range.getClientRects()) if (box.width > 0) return box;
  return range.getBoundingClientRect();
}
