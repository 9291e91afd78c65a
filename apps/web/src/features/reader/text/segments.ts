/** Overlapping highlights as disjoint pieces of text, each with all the highlights on it. */

export interface Span {
  readonly id: string;
  /** Code points [start, end) of the canonical text. */
  readonly start: number;
  readonly end: number;
  readonly color: string;
  readonly createdAt: string;
}

export interface TextSegment {
  readonly start: number;
  readonly end: number;
  /** The highlights here, the newest first. */
  readonly ids: readonly string[];
  /** The newest one's colour. */
  readonly color: string;
}

/** The newest first; of two made at the same moment the smaller id comes first. */
export function newestFirst(spans: readonly Span[]): Span[] {
  const dated = spans.map((span) => ({ span, moment: moment(span.createdAt) }));
  dated.sort((a, b) => compare(b.moment, a.moment) || compare(a.span.id, b.span.id));
  return dated.map(({ span }) => span);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** A UTC timestamp that compares as text. Dates only know milliseconds; the server knows more. */
function moment(iso: string): string {
  return `${iso.slice(0, 19)}.${(/\.(\d+)/.exec(iso)?.[1] ?? "").padEnd(9, "0")}`;
}

/** Cuts the text at every edge of a highlight, and leaves out what has none. */
export function segmentsOf(spans: readonly Span[]): TextSegment[] {
  const ranked = newestFirst(spans.filter((span) => span.start < span.end));
  const edges = ranked
    .flatMap((span, rank) => [
      { at: span.start, rank, opens: true },
      { at: span.end, rank, opens: false },
    ])
    .sort((a, b) => a.at - b.at);
  const segments: TextSegment[] = [];
  // Ranks of the highlights open here, ascending: the first one is the newest.
  const open: number[] = [];
  let from = 0;
  for (const edge of edges) {
    const newest = ranked[open[0] ?? -1];
    if (newest && edge.at > from) {
      const ids = open.map((rank) => ranked[rank]?.id ?? "");
      segments.push({ start: from, end: edge.at, ids, color: newest.color });
    }
    from = edge.at;
    const place = placeOf(open, edge.rank);
    if (edge.opens) open.splice(place, 0, edge.rank);
    else open.splice(place, 1);
  }
  return segments;
}

/** Where a rank is, or would be, in the ascending list. */
function placeOf(open: readonly number[], rank: number): number {
  let low = 0;
  let high = open.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((open[middle] ?? 0) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The segment that holds an offset. */
export function segmentAt(segments: readonly TextSegment[], offset: number): TextSegment | null {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((segments[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const found = segments[low];
  return found && found.start <= offset ? found : null;
}
