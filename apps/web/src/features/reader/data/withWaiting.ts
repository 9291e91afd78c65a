import type { Highlight } from "../../../api/highlights";
import type { Change, KeptChange } from "./outbox";
import { isOn, type ReaderHighlight } from "./readerHighlight";

interface Shown {
  highlight: Highlight;
  pending: boolean;
  waiting: boolean;
}

/**
 * The highlights as they are once everything that waits is sent: the server's list with the
 * outbox laid over it. `late` names the changes that did not get through at once.
 */
export function withWaiting(
  list: readonly Highlight[],
  waiting: readonly KeptChange[],
  late: ReadonlySet<string>,
): ReaderHighlight[] {
  const shown = new Map<string, Shown>(
    list.map((one) => [one.id, { highlight: one, pending: false, waiting: false }]),
  );
  for (const { ticket, change } of waiting) {
    const { id } = change;
    const isLate = late.has(ticket);
    const one = shown.get(id);
    if (change.kind === "create") {
      shown.set(id, one ? { ...one, waiting: isLate } : created(change, shown, isLate));
    } else if (change.kind === "restore") {
      shown.set(id, { highlight: change.highlight, pending: false, waiting: isLate });
    } else if (change.kind === "delete") {
      shown.delete(id);
    } else if (one) {
      const highlight = { ...one.highlight, ...change.changes, ...pagesAfter(one, change) };
      shown.set(id, { ...one, highlight, waiting: one.waiting || isLate });
    }
  }
  return [...shown.values()].map(toView);
}

type Creation = Change & { kind: "create" };

/** A new highlight. It stands for the one of another device that it will turn out to be. */
function created(change: Creation, shown: Map<string, Shown>, waiting: boolean): Shown {
  const { id, fragmentId, body, at } = change;
  const same = [...shown.values()].find(({ highlight }) => isOn(highlight, change))?.highlight;
  if (same) {
    shown.delete(same.id);
    return { highlight: { ...same, id }, pending: true, waiting };
  }
  const times = { created_at: at, updated_at: at };
  const highlight = {
    ...{ ...body, id, fragment_id: fragmentId, ...times },
    ...{ annotation: null, ...NO_PAGES },
  };
  return { highlight, pending: true, waiting };
}

// Until the server responds, the card takes its page from the outline.
const NO_PAGES = { page: null, end_page: null };

/** The server knew the page of the old passage only. */
function pagesAfter({ highlight }: Shown, { changes }: Change & { kind: "update" }) {
  const moved = isMoved(changes.start_offset, highlight.start_offset);
  return moved || isMoved(changes.end_offset, highlight.end_offset) ? NO_PAGES : {};
}

function isMoved(to: number | undefined, from: number): boolean {
  return to !== undefined && to !== from;
}

const views = new WeakMap<Highlight, ReaderHighlight>();

/** The same object for the same content: cards that did not change are not drawn again. */
function toView({ highlight, pending, waiting }: Shown): ReaderHighlight {
  const known = views.get(highlight);
  if (known && known.pending === pending && known.waiting === waiting) return known;
  const { start_offset: start, end_offset: end } = highlight;
  const view = { ...highlight, pending, waiting, passage: { start, end } };
  views.set(highlight, view);
  return view;
}
