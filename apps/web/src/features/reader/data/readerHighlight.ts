import type { Highlight } from "../../../api/highlights";
import type { Span } from "../text/segments";
import type { NewHighlight } from "./outbox";

/** A highlight on the page. */
export interface ReaderHighlight extends Highlight {
  /** The server is not known to have it yet. */
  readonly pending: boolean;
  /** Something about it did not get through at once and is kept to be sent. */
  readonly waiting: boolean;
}

/** Reading order: by place, longer passages after shorter ones that begin at the same place. */
export function inReadingOrder(a: Highlight, b: Highlight): number {
  return a.start_offset - b.start_offset || a.end_offset - b.end_offset || (a.id < b.id ? -1 : 1);
}

/** What drawing needs of a highlight. */
export function toSpan({ id, start_offset, end_offset, color, created_at }: Highlight): Span {
  return { id, start: start_offset, end: end_offset, color, createdAt: created_at };
}

/** Where a highlight is, as offsets. */
export function passageOf({ start_offset, end_offset }: Highlight) {
  return { start: start_offset, end: end_offset };
}

/** Whether a highlight is on exactly the passage of another one that is being created. */
export function isOn(highlight: Highlight, creation: { fragmentId: string; body: NewHighlight }) {
  return (
    highlight.fragment_id === creation.fragmentId &&
    highlight.start_offset === creation.body.start_offset &&
    highlight.end_offset === creation.body.end_offset
  );
}
