import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { MediaQuery } from "../api/media";
import type { Library, ListedMedia, Media, Page } from "../api/types";

// Every cached answer about items has one of these keys, and only this file writes into them.
const LISTS = ["media", "list"] as const;
const LIBRARIES = ["libraries"] as const;

export const listKey = (query: MediaQuery) => [...LISTS, query] as const;
export const itemKey = (id: string) => ["media", "item", id] as const;
export const holdersKey = (id: string) => ["media", "holders", id] as const;

export type ListData = InfiniteData<Page<ListedMedia>, string | null>;

/** A change told by the server: the item as it is now, and the id it was known by. */
export interface MediaEvent {
  media_id: string;
  media: Media;
}

/** Would the server list this item for that query? It cannot be told which library holds it. */
export function matchesQuery(query: MediaQuery, media: Media): boolean {
  if (query.kind && query.kind !== media.kind) return false;
  return !query.status || query.status === media.processing_status;
}

/** What a list becomes by an event; `incomplete` when only the server knows what belongs there. */
export function mergeEvent(
  data: ListData,
  query: MediaQuery,
  { media_id, media }: MediaEvent,
): { data: ListData; incomplete: boolean } {
  const fits = matchesQuery(query, media);
  const listed = idsOf(data);
  const merged = media_id !== media.id;
  if (!listed.has(media_id) && !listed.has(media.id)) return { data, incomplete: fits };
  const next = mapItems(data, (item) => {
    if (item.id === media.id) return fits ? { ...item, ...media } : null;
    if (item.id !== media_id) return item;
    // The row of an item that was merged becomes the winner's, unless that has a row already.
    return fits && !listed.has(media.id) ? { ...item, ...media } : null;
  });
  return { data: next, incomplete: merged };
}

function idsOf(data: ListData): Set<string> {
  return new Set(data.pages.flatMap((page) => page.items.map((item) => item.id)));
}

function mapItems(data: ListData, change: (item: ListedMedia) => ListedMedia | null): ListData {
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.map(change).filter((item) => item !== null),
  }));
  return { ...data, pages };
}

function eachList(
  client: QueryClient,
  change: (data: ListData, query: MediaQuery) => ListData,
): void {
  for (const [key, data] of client.getQueriesData<ListData>({ queryKey: LISTS })) {
    if (data) client.setQueryData<ListData>(key, change(data, key[2] as MediaQuery));
  }
}

/** Brings an event into every list and returns whether one of them should be loaded again. */
export function applyMediaEvent(client: QueryClient, event: MediaEvent): boolean {
  let incomplete = false;
  eachList(client, (data, query) => {
    const merged = mergeEvent(data, query, event);
    incomplete ||= merged.incomplete;
    return merged.data;
  });
  for (const id of new Set([event.media_id, event.media.id])) {
    client.setQueryData<Media>(itemKey(id), (old) => old && { ...old, ...event.media });
  }
  return incomplete;
}

/** Shows a newly saved item on top of the lists it belongs to. */
export function putNewItem(client: QueryClient, media: Media, libraryId: string | null): void {
  const libraries = client.getQueryData<Library[]>(LIBRARIES) ?? [];
  const defaultId = libraries.find((library) => library.is_default)?.id;
  eachList(client, (data, query) => {
    const holds = !query.libraryId || [defaultId, libraryId].includes(query.libraryId);
    const [first, ...rest] = data.pages;
    if (!holds || !first || !matchesQuery(query, media)) return data;
    const item = { highlight_count: 0, ...knownItem(data, media.id), ...media };
    const without = (page: Page<ListedMedia>) => ({
      ...page,
      items: page.items.filter((one) => one.id !== media.id),
    });
    const top = without(first);
    return { ...data, pages: [{ ...top, items: [item, ...top.items] }, ...rest.map(without)] };
  });
  void client.invalidateQueries({ queryKey: LIBRARIES, exact: true });
}

function knownItem(data: ListData, id: string): ListedMedia | undefined {
  return data.pages.flatMap((page) => page.items).find((item) => item.id === id);
}

/** Takes an item out of the lists: all of them, or those of one library. */
export function dropItem(client: QueryClient, id: string, libraryId?: string): void {
  eachList(client, (data, query) =>
    libraryId && query.libraryId !== libraryId
      ? data
      : mapItems(data, (item) => (item.id === id ? null : item)),
  );
  if (!libraryId) client.removeQueries({ queryKey: itemKey(id) });
  void client.invalidateQueries({ queryKey: LIBRARIES, exact: true });
}

/** Changes an item wherever it is shown. */
export function patchItem(client: QueryClient, id: string, change: Partial<Media>): void {
  eachList(client, (data) =>
    mapItems(data, (item) => (item.id === id ? { ...item, ...change } : item)),
  );
  client.setQueryData<Media>(itemKey(id), (old) => old && { ...old, ...change });
}

/** The item as some view shows it now. */
export function findItem(client: QueryClient, id: string): Media | undefined {
  for (const [, data] of client.getQueriesData<ListData>({ queryKey: LISTS })) {
    const item = data && knownItem(data, id);
    if (item) return item;
  }
  return client.getQueryData<Media>(itemKey(id));
}

/** Loads the lists and open items again; those not on screen when they are next shown. */
export function refreshItems(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ["media"] });
  void client.invalidateQueries({ queryKey: LIBRARIES, exact: true });
}

/** Loads only the lists again, for when something about many items changed, such as highlights. */
export function refreshItemLists(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: LISTS });
}
