import type { Highlight } from "../../../api/highlights";
import type { Offsets } from "../../../canonical";
import type { Span } from "../text/segments";
import type { TextSpace } from "../text/textSpace";
import type { NewHighlight } from "./outbox";

/** A highlight on the page. */
export interface ReaderHighlight extends Highlight {
  /** The server is not known to have it yet. */
  readonly pending: boolean;
  /** Something about it did not get through at once and is kept to be sent. */
  readonly waiting: boolean;
  /** Where it is in the text that is read. */
  readonly passage: Offsets;
}

const placed = new WeakMap<ReaderHighlight, ReaderHighlight>();

/** The highlights that are in a text, with their places there, in reading order. */
export function placeIn(
  space: TextSpace | null,
  highlights: readonly ReaderHighlight[],
): ReaderHighlight[] {
  const found = highlights.flatMap((highlight) => {
    const { fragment_id: fragmentId, start_offset, end_offset } = highlight;
    const start = space?.offsetOf({ fragmentId, offset: start_offset }) ?? null;
    if (start === null) return [];
    if (start === start_offset) return [highlight];
    const known = placed.get(highlight);
    if (known?.passage.start === start) return [known];
    const there = { ...highlight, passage: { start, end: start + end_offset - start_offset } };
    placed.set(highlight, there);
    return [there];
  });
  return found.sort(inReadingOrder);
}

/** Reading order: by place, longer passages after shorter ones that begin at the same place. */
export function inReadingOrder(a: ReaderHighlight, b: ReaderHighlight): number {
  const [one, other] = [a.passage, b.passage];
  return one.start - other.start || one.end - other.end || (a.id < b.id ? -1 : 1);
}

/** What drawing needs of a highlight. */
export function toSpan({ id, passage, color, created_at }: ReaderHighlight): Span {
  return { id, ...passage, color, createdAt: created_at };
}

/** Whether a highlight is on exactly the passage of another one that is being created. */
export function isOn(highlight: Highlight, creation: { fragmentId: string; body: NewHighlight }) {
  return (
    highlight.fragment_id === creation.fragmentId &&
    highlight.start_offset === creation.body.start_offset &&
    highlight.end_offset === creation.body.end_offset
  );
}
