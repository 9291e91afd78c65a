import { CodePointIndex } from "../../canonical";

export interface MarkedPart {
  readonly text: string;
  readonly hit: boolean;
  /** Where it begins, which tells it from the others. */
  readonly start: number;
}

/** A text cut at its hits, which are code points [start, end). Nonsense in them marks nothing. */
export function markedParts(
  text: string,
  hits: readonly (readonly [number, number])[],
): MarkedPart[] {
  const index = new CodePointIndex(text);
  const parts: MarkedPart[] = [];
  let at = 0;
  const add = (end: number, hit: boolean) => {
    if (end > at) parts.push({ text: index.slice(at, end), hit, start: at });
    at = Math.max(at, end);
  };
  for (const [start, end] of [...hits].sort(([a], [b]) => a - b)) {
    if (!(end > Math.max(start, at)) || start >= index.length) continue;
    add(start, false);
    add(Math.min(end, index.length), true);
  }
  add(index.length, false);
  return parts;
}
