import type { Highlight } from "../../../api/highlights";
import type { Span } from "../text/segments";

/** A highlight on the page. Its key stays the same when the server gives it an id. */
export interface ReaderHighlight extends Highlight {
  readonly key: string;
  /** It has no id from the server yet. */
  readonly pending: boolean;
  /** Something about it did not get through at once and is kept to be sent. */
  readonly waiting: boolean;
}

/** Reading order: by place, longer passages after shorter ones that begin at the same place. */
export function inReadingOrder(a: Highlight, b: Highlight): number {
  return a.start_offset - b.start_offset || a.end_offset - b.end_offset || (a.id < b.id ? -1 : 1);
}

/** What drawing needs of a highlight. */
export function toSpan({
  key,
  start_offset,
  end_offset,
  color,
  created_at,
}: ReaderHighlight): Span {
  return { id: key, start: start_offset, end: end_offset, color, createdAt: created_at };
}

/** Where a highlight is, as offsets. */
export function passageOf({ start_offset, end_offset }: Highlight) {
  return { start: start_offset, end: end_offset };
}
