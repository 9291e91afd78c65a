import type { Span, TextSegment } from "./segments";

/** As many lines as the space between two lines of text can hold. */
export const LANES = 3;

/** Stands for the highlights that have no line of their own. */
export const MORE = "more";

/** A line under a passage, for a highlight that newer ones cover there. */
export interface CoverLine {
  readonly start: number;
  readonly end: number;
  /** A colour, or "more". */
  readonly color: string;
}

/**
 * The lines that show what is covered, by lane from the text downwards. A highlight keeps its
 * lane while it runs on. Where more are covered than there are lanes, the last one says so.
 */
export function coverLinesOf(
  segments: readonly TextSegment[],
  spans: readonly Span[],
): CoverLine[][] {
  const colors = new Map(spans.map(({ id, color }) => [id, color]));
  const lanes: Lane[] = Array.from({ length: LANES }, () => ({ id: null, lines: [] }));
  let end = -1;
  for (const segment of segments) {
    if (segment.start !== end) for (const lane of lanes) lane.id = null;
    assign(lanes, segment.ids.slice(1));
    for (const lane of lanes) extend(lane, segment, end, colors);
    end = segment.end;
  }
  return lanes.map(({ lines }) => lines);
}

interface Lane {
  /** The highlight it shows now. */
  id: string | null;
  lines: (CoverLine & { id: string; end: number })[];
}

function assign(lanes: readonly Lane[], covered: readonly string[]): void {
  const room = covered.length > LANES ? LANES - 1 : LANES;
  for (const [index, lane] of lanes.entries()) {
    if (index >= room) lane.id = MORE;
    else if (lane.id && !covered.includes(lane.id)) lane.id = null;
  }
  const shown = new Set(lanes.map(({ id }) => id));
  for (const id of covered) {
    const free = lanes.find((lane) => lane.id === null);
    if (!free) break;
    if (!shown.has(id)) free.id = id;
  }
}

function extend(
  { id, lines }: Lane,
  segment: TextSegment,
  before: number,
  colors: ReadonlyMap<string, string>,
): void {
  if (id === null) return;
  const last = lines.at(-1);
  if (last?.id === id && last.end === before && segment.start === before) last.end = segment.end;
  else {
    const color = colors.get(id) ?? MORE;
    lines.push({ id, start: segment.start, end: segment.end, color });
  }
}
