import type { ListedMedia, Page } from "../api/types";

// A long list is kept page by page, each known by the cursor it begins at. A page can be loaded
// again on its own, whatever lies around it: the next one then begins where the new one ends.

export interface ListPage {
  /** Null for the first page. */
  cursor: string | null;
  /** Null while only its place is known. */
  items: readonly ListedMedia[] | null;
  /** How many rows it has, or had when it was last seen. */
  size: number;
  /** To be loaded again when it is next in view. */
  outdated: boolean;
}

export interface ListData {
  pages: readonly ListPage[];
  /** Where the page after the last one begins; null when there is none. */
  next: string | null;
  /** Counts the changes made here; what was asked for before one may not know of it. */
  revision: number;
}

/** A list of which only the first page is there. */
export function firstPage({ items, nextCursor }: Page<ListedMedia>): ListData {
  const page = { cursor: null, items, size: items.length, outdated: false };
  return { pages: [page], next: nextCursor, revision: 0 };
}

/**
 * Puts a page that came from the server where it belongs; one that is nowhere is left out. The
 * list has changed since it was asked for if the revision is another.
 */
export function withPage(
  data: ListData,
  cursor: string | null,
  page: Page<ListedMedia>,
  revision = data.revision,
): ListData {
  const loaded = {
    cursor,
    items: page.items,
    size: page.items.length,
    outdated: revision !== data.revision,
  };
  const at = data.pages.findIndex((one) => one.cursor === cursor);
  if (at < 0) {
    if (cursor === null || cursor !== data.next) return data;
    return { ...data, pages: [...data.pages, loaded], next: page.nextCursor };
  }
  const before = [...data.pages.slice(0, at), loaded];
  const [following, ...rest] = data.pages.slice(at + 1);
  if (!following || page.nextCursor === null) {
    return { ...data, pages: before, next: page.nextCursor };
  }
  if (following.cursor === page.nextCursor) {
    return { ...data, pages: [...before, following, ...rest] };
  }
  // Something came or went before it: it begins elsewhere now, and is shown as it was until loaded.
  const moved = { ...following, cursor: page.nextCursor, outdated: true };
  return { ...data, pages: [...before, moved, ...rest] };
}

/** Marks every page as one to load again when it is in view. */
export function outdated(data: ListData): ListData {
  const pages = data.pages.map((page) => ({ ...page, outdated: true }));
  return { ...data, pages, revision: data.revision + 1 };
}

/** Changes items, or takes them out where the change is null. Untouched pages stay as they are. */
export function mapItems(
  data: ListData,
  change: (item: ListedMedia) => ListedMedia | null,
): ListData {
  let touched = false;
  const pages = data.pages.map((page) => {
    const items = page.items?.map(change);
    if (!items || items.every((item, at) => item === page.items?.[at])) return page;
    touched = true;
    const left = items.filter((item) => item !== null);
    return { ...page, items: left, size: left.length };
  });
  return touched ? { ...data, pages, revision: data.revision + 1 } : data;
}

/** The item as the list has it. */
export function itemIn(data: ListData, id: string): ListedMedia | undefined {
  for (const { items } of data.pages) {
    const found = items?.find((item) => item.id === id);
    if (found) return found;
  }
  return undefined;
}

/** Is there nothing in it, and nothing to come? */
export function isEmpty({ pages, next }: ListData): boolean {
  return next === null && pages.every(({ size }) => size === 0);
}

/** Every row of a list: an item, or null where one is not loaded; and where each page begins. */
export interface ListRows {
  items: readonly (ListedMedia | null)[];
  starts: readonly number[];
}

/** The rows in their order. While pages overlap, an item is shown where it comes first. */
export function rowsOf({ pages }: ListData): ListRows {
  const seen = new Set<string>();
  const items: (ListedMedia | null)[] = [];
  const starts: number[] = [];
  for (const page of pages) {
    starts.push(items.length);
    if (!page.items) {
      for (let row = 0; row < page.size; row += 1) items.push(null);
      continue;
    }
    for (const item of page.items) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      items.push(item);
    }
  }
  return { items, starts };
}

/** The pages that have rows between two, both included. */
export function pagesBetween(starts: readonly number[], first: number, last: number): number[] {
  const pages: number[] = [];
  for (let at = 0; at < starts.length; at += 1) {
    const ends = (starts[at + 1] ?? Number.POSITIVE_INFINITY) - 1;
    if ((starts[at] ?? 0) <= last && Math.max(ends, starts[at] ?? 0) >= first) pages.push(at);
  }
  return pages;
}
