import type { Offsets } from "../../../canonical";
import type { TextPiece } from "../text/readingText";
import { type Found, findAll, MAX_HITS } from "./findAll";

/** A text of many small pieces is told of now and then: each time all that is known is counted. */
const TELL_EVERY_MS = 100;

interface FindOptions {
  signal: AbortSignal;
  onFound: (found: Found) => void;
}

/**
 * All matches in a text that comes piece by piece. The pieces may begin in the middle of the text
 * and go on at its beginning; the matches are told in reading order all the same.
 */
export async function findInPieces(
  pieces: AsyncIterable<TextPiece>,
  pattern: RegExp,
  { signal, onFound }: FindOptions,
): Promise<void> {
  const before: Offsets[] = [];
  const after: Offsets[] = [];
  let first: number | null = null;
  let told = Number.NEGATIVE_INFINITY;
  const tell = (done: boolean, here: readonly Offsets[] = [], start = 0) => {
    const hits =
      start < (first ?? 0) ? [...before, ...here, ...after] : [...before, ...after, ...here];
    const more = hits.length >= MAX_HITS;
    if (!done && !more && performance.now() - told < TELL_EVERY_MS) return;
    if (hits.length > 0) told = performance.now();
    onFound({ hits: hits.slice(0, MAX_HITS), done: done || more, more });
  };
  for await (const piece of pieces) {
    if (signal.aborted) return;
    const { start } = piece;
    first ??= start;
    let found: readonly Offsets[] = [];
    const onPart = ({ hits }: Found) => {
      found = start === 0 ? hits : hits.map((hit) => shifted(hit, start));
      tell(false, found, start);
    };
    await findAll(piece, pattern, { signal, onFound: onPart });
    if (signal.aborted) return;
    (start < first ? before : after).push(...found);
    if (before.length + after.length >= MAX_HITS) break;
  }
  if (!signal.aborted) tell(true);
}

function shifted({ start, end }: Offsets, by: number): Offsets {
  return { start: start + by, end: end + by };
}
