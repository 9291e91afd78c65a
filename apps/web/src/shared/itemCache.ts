import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { fetchMediaPage, type MediaQuery } from "../api/media";
import type { Library, ListedMedia, Media, Page } from "../api/types";
import { itemIn, type ListData, mapItems, outdated } from "./itemPages";
import { pageWithPending, withPending } from "./pendingChanges";
import { isSameTag, TAGS_KEY } from "./tags";

// Every cached answer about items has one of these keys, and only this file writes into them.
const LISTS = ["media", "list"] as const;
const LIBRARIES = ["libraries"] as const;

export const listKey = (query: MediaQuery) => [...LISTS, query] as const;
/** A page on its way into its list. */
export const pageKey = (query: MediaQuery, cursor: string | null) =>
  ["page", query, cursor] as const;
export const itemKey = (id: string) => ["media", "item", id] as const;
export const holdersKey = (id: string) => ["media", "holders", id] as const;

/** A change told by the server: the item as it is now, and the id it was known by. */
export interface MediaEvent {
  media_id: string;
  media: Media;
}

/** Would the server list this item for that query? It cannot be told which library holds it. */
export function matchesQuery(query: MediaQuery, media: Media): boolean {
  const { kind, status, state, archived, favourite, tags = [] } = query;
  return (
    (kind === undefined || kind === media.kind) &&
    (status === undefined || status === media.processing_status) &&
    (state === undefined || state === media.state) &&
    (archived === undefined || archived === media.archived) &&
    (favourite === undefined || favourite === media.favourite) &&
    tags.every((tag) => media.tags.some((own) => isSameTag(own, tag)))
  );
}

/** Does a change of an item leave its place in the list alone? */
function keepsPlace({ sort = "newest" }: MediaQuery): boolean {
  return sort === "newest" || sort === "oldest";
}

/** What a list becomes by an event; `incomplete` when only the server knows what belongs there. */
export function mergeEvent(
  data: ListData,
  query: MediaQuery,
  { media_id, media }: MediaEvent,
): { data: ListData; incomplete: boolean } {
  const fits = matchesQuery(query, media);
  const hasWinner = itemIn(data, media.id) !== undefined;
  const merged = media_id !== media.id;
  if (!hasWinner && !(merged && itemIn(data, media_id))) return { data, incomplete: fits };
  const next = mapItems(data, (item) => {
    if (item.id === media.id) return fits ? { ...item, ...media } : null;
    if (item.id !== media_id) return item;
    // The row of an item that was merged becomes the winner's, unless that has a row already.
    return fits && !hasWinner ? { ...item, ...media } : null;
  });
  return { data: next, incomplete: merged || !keepsPlace(query) };
}

function eachList(
  client: QueryClient,
  change: (data: ListData, query: MediaQuery) => ListData,
): void {
  for (const [key, data] of client.getQueriesData<ListData>({ queryKey: LISTS })) {
    if (data) client.setQueryData<ListData>(key, change(data, key[2] as MediaQuery));
  }
}

/** A page of a list as the server has it, with what was changed here meanwhile. */
export async function loadPage(
  query: MediaQuery,
  options: Parameters<typeof fetchMediaPage>[1],
): Promise<Page<ListedMedia>> {
  return pageWithPending(await fetchMediaPage(query, options), query, matchesQuery);
}

/** Brings an event into every list and returns whether one of them should be loaded again. */
export function applyMediaEvent(client: QueryClient, told: MediaEvent): boolean {
  const event = { ...told, media: withPending(told.media) };
  let incomplete = false;
  eachList(client, (data, query) => {
    const merged = mergeEvent(data, query, event);
    incomplete ||= merged.incomplete;
    return merged.data;
  });
  for (const id of new Set([event.media_id, event.media.id])) {
    client.setQueryData<Media>(itemKey(id), (old) => old && { ...old, ...event.media });
    reloadFirstLoads(client, itemKey(id));
    const known = { queryKey: itemKey(id), exact: true, fetchStatus: "fetching" } as const;
    void client.invalidateQueries(known);
  }
  reloadFirstLoads(client, LISTS);
  return incomplete;
}

/**
 * Loads once more what is on its way for the first time: it may have left the server before what was
 * told just now. Later loads start again when they are marked as invalid.
 */
function reloadFirstLoads(client: QueryClient, queryKey: QueryKey): void {
  for (const query of client.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" })) {
    const { queryKey: key, state } = query;
    if (state.data !== undefined) continue;
    const reload = () => {
      if (key[1] === LISTS[1]) client.setQueryData<ListData>(key, (data) => data && outdated(data));
      else void client.invalidateQueries({ queryKey: key, exact: true });
    };
    query.promise?.then(reload, () => {});
  }
}

/** Shows a newly saved item on top of the lists it belongs to. */
export function putNewItem(client: QueryClient, media: Media, libraryId: string | null): void {
  const libraries = client.getQueryData<Library[]>(LIBRARIES) ?? [];
  const defaultId = libraries.find((library) => library.is_default)?.id;
  eachList(client, (data, query) => {
    const holds = !query.libraryId || [defaultId, libraryId].includes(query.libraryId);
    if (!holds || !matchesQuery(query, media)) return data;
    // In any other order, only the server knows where it stands.
    if ((query.sort ?? "newest") !== "newest") return outdated(data);
    return onTop(data, { highlight_count: 0, ...itemIn(data, media.id), ...media });
  });
  void client.invalidateQueries({ queryKey: LIBRARIES, exact: true });
}

function onTop(data: ListData, item: ListedMedia): ListData {
  const without = mapItems(data, (one) => (one.id === item.id ? null : one));
  const [first, ...rest] = without.pages;
  if (!first?.items) return outdated(data);
  const items = [item, ...first.items];
  const pages = [{ ...first, items, size: items.length }, ...rest];
  return { ...without, pages, revision: without.revision + 1 };
}

/** Takes an item out of the lists: all of them, or those of one library. */
export function dropItem(client: QueryClient, id: string, libraryId?: string): void {
  dropItems(client, [id], libraryId);
}

/** Takes items out of the lists: all of them, or those of one library. */
export function dropItems(client: QueryClient, ids: readonly string[], libraryId?: string): void {
  const gone = new Set(ids);
  eachList(client, (data, query) =>
    libraryId && query.libraryId !== libraryId
      ? data
      : mapItems(data, (item) => (gone.has(item.id) ? null : item)),
  );
  if (!libraryId) for (const id of ids) client.removeQueries({ queryKey: itemKey(id) });
  void client.invalidateQueries({ queryKey: LIBRARIES, exact: true });
}

/** Changes an item wherever it is shown; a list that it no longer belongs to loses it. */
export function patchItem(client: QueryClient, id: string, change: Partial<Media>): void {
  const known = findItem(client, id);
  eachList(client, (data, query) => {
    const item = itemIn(data, id);
    if (!item) {
      const belongs = known !== undefined && matchesQuery(query, { ...known, ...change });
      return belongs ? outdated(data) : data;
    }
    const next = { ...item, ...change };
    const fits = matchesQuery(query, next);
    const patched = mapItems(data, (one) => (one === item ? (fits ? next : null) : one));
    return keepsPlace(query) ? patched : outdated(patched);
  });
  client.setQueryData<Media>(itemKey(id), (old) => old && { ...old, ...change });
}

/** The item as some view shows it now. */
export function findItem(client: QueryClient, id: string): Media | undefined {
  for (const [, data] of client.getQueriesData<ListData>({ queryKey: LISTS })) {
    const item = data && itemIn(data, id);
    if (item) return item;
  }
  return client.getQueryData<Media>(itemKey(id));
}

/** Loads what is shown of the lists and open items again; the rest when it is next shown. */
export function refreshItems(client: QueryClient): void {
  reloadFirstLoads(client, ["media"]);
  void client.invalidateQueries({
    queryKey: ["media"],
    predicate: ({ queryKey }) => queryKey[1] !== LISTS[1],
  });
  void client.invalidateQueries({ queryKey: LIBRARIES, exact: true });
  void client.invalidateQueries({ queryKey: TAGS_KEY, exact: true });
  refreshItemLists(client);
}

/** Loads only the lists again, for when something about many items changed, such as highlights. */
export function refreshItemLists(client: QueryClient): void {
  eachList(client, outdated);
}

/** Loads one list again, as far as it is in view. */
export function refreshItemList(client: QueryClient, query: MediaQuery): void {
  client.setQueryData<ListData>(listKey(query), (data) => data && outdated(data));
}
