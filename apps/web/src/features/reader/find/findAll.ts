import type { CanonicalMap, Offsets } from "../../../canonical";

/** More are not worth counting; it is said that there are more. */
export const MAX_HITS = 100_000;
/** So much is searched before the page gets a turn: a few milliseconds' worth. */
const SLICE = 256 * 1024;
/** A match may begin in one slice and end in the next. */
const OVERLAP = 4_096;

export interface Found {
  readonly hits: readonly Offsets[];
  /** All of the text was searched, or there are too many. */
  readonly done: boolean;
  readonly more: boolean;
}

type SearchedText = Pick<CanonicalMap, "text" | "codePoints">;

/** All matches in reading order, told slice by slice, so that a long text never stops the page. */
export async function findAll(
  { text, codePoints }: SearchedText,
  pattern: RegExp,
  { signal, onFound }: { signal: AbortSignal; onFound: (found: Found) => void },
): Promise<void> {
  const hits: Offsets[] = [];
  let from = 0;
  while (from < text.length && hits.length < MAX_HITS) {
    const slice = text.slice(from, from + SLICE + OVERLAP);
    const whole = from + slice.length >= text.length;
    let next = from + SLICE;
    for (const match of slice.matchAll(pattern)) {
      if (!whole && match.index >= SLICE) break;
      const start = from + match.index;
      const end = start + match[0].length;
      hits.push({ start: codePoints.toOffset(start), end: codePoints.toOffset(end) });
      next = Math.max(next, end);
      if (hits.length >= MAX_HITS) break;
    }
    from = whole ? text.length : next;
    const more = hits.length >= MAX_HITS;
    onFound({ hits: hits.slice(), done: from >= text.length || more, more });
    if (from < text.length) await turn();
    if (signal.aborted) return;
  }
}

/** Lets the page draw and hear its keys. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
