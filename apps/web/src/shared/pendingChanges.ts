import type { MediaQuery } from "../api/media";
import type { Media, Page } from "../api/types";

// What was changed here and is shown already. An answer that left the server before the change
// arrived there does not know of it, and would show the old state for a moment.

type Mine = Partial<Pick<Media, "state" | "archived" | "favourite" | "tags">>;

const pending = new Map<string, Mine>();

export function notePending(id: string, change: Mine): void {
  pending.set(id, { ...pending.get(id), ...change });
}

/** From now on the server knows best. */
export function forgetPending(): void {
  pending.clear();
}

/** The item with what was changed here meanwhile. */
export function withPending<T extends Media>(item: T): T {
  const change = pending.get(item.id);
  return change ? { ...item, ...change } : item;
}

/** A page of a list with what was changed meanwhile; without what no longer belongs there. */
export function pageWithPending<T extends Media>(
  page: Page<T>,
  query: MediaQuery,
  belongs: (query: MediaQuery, item: Media) => boolean,
): Page<T> {
  if (pending.size === 0) return page;
  const items = page.items
    .map(withPending)
    .filter((item) => !pending.has(item.id) || belongs(query, item));
  return { ...page, items };
}
