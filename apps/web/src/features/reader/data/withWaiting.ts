import type { Highlight } from "../../../api/highlights";
import { type Change, isPendingKey, type KeptChange } from "./outbox";
import type { ReaderHighlight } from "./readerHighlight";

/** What is known about the names of highlights. */
interface Names {
  idOf: (target: string) => string | null;
  keysById: () => ReadonlyMap<string, string>;
}

interface Shown {
  highlight: Highlight;
  key: string;
  waiting: boolean;
}

/**
 * The highlights as they are once everything that waits is sent: the server's list with the
 * outbox laid over it. `late` names the changes that did not get through at once.
 */
export function withWaiting(
  list: readonly Highlight[],
  waiting: readonly KeptChange[],
  names: Names,
  late: ReadonlySet<string>,
): ReaderHighlight[] {
  const keys = names.keysById();
  const shown = new Map<string, Shown>(
    list.map((one) => [
      one.id,
      { highlight: one, key: keys.get(one.id) ?? one.id, waiting: false },
    ]),
  );
  // New highlights that the server turns out to have already, by their keys.
  const found = new Map<string, string>();
  const nameOf = (target: string) => found.get(target) ?? names.idOf(target) ?? target;
  for (const { ticket, change } of waiting) {
    const isLate = late.has(ticket);
    if (change.kind === "create") {
      const name = nameOf(change.key);
      const same = shown.get(name) ?? sameSpan(shown, change);
      if (same) found.set(change.key, same.highlight.id);
      const highlight = same?.highlight ?? toHighlight(change);
      shown.set(highlight.id, { highlight, key: change.key, waiting: isLate });
    } else if (change.kind === "restore") {
      const { highlight } = change;
      const key = keys.get(highlight.id) ?? highlight.id;
      shown.set(highlight.id, { highlight, key, waiting: isLate });
    } else {
      const name = nameOf(change.target);
      const one = shown.get(name);
      if (change.kind === "delete") shown.delete(name);
      else if (one) {
        const highlight = { ...one.highlight, ...change.changes };
        shown.set(name, { ...one, highlight, waiting: one.waiting || isLate });
      }
    }
  }
  return [...shown.values()].map(toView);
}

type Creation = Change & { kind: "create" };

function sameSpan(shown: ReadonlyMap<string, Shown>, { fragmentId, body }: Creation) {
  for (const one of shown.values()) {
    const { fragment_id, start_offset, end_offset } = one.highlight;
    if (
      fragment_id === fragmentId &&
      start_offset === body.start_offset &&
      end_offset === body.end_offset
    ) {
      return one;
    }
  }
  return null;
}

function toHighlight({ key, fragmentId, body, at }: Creation): Highlight {
  return {
    ...body,
    id: key,
    fragment_id: fragmentId,
    created_at: at,
    updated_at: at,
    annotation: null,
  };
}

const views = new WeakMap<Highlight, ReaderHighlight>();

/** The same object for the same content: cards that did not change are not drawn again. */
function toView({ highlight, key, waiting }: Shown): ReaderHighlight {
  const known = views.get(highlight);
  if (known && known.key === key && known.waiting === waiting) return known;
  const view = { ...highlight, key, pending: isPendingKey(highlight.id), waiting };
  views.set(highlight, view);
  return view;
}
