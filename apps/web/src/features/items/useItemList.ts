import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { MediaQuery } from "../../api/media";
import { LIMITS } from "../../api/schema";
import { listKey, loadPage, pageKey, refreshItemList } from "../../shared/itemCache";
import {
  firstPage,
  type ListData,
  type ListPage,
  type ListRows,
  pagesBetween,
  rowsOf,
  withPage,
} from "../../shared/itemPages";
import { currentStep, type LeftList, leftView } from "../../shared/places";

const FIRST_PAGE = 50;
// How many rows outside the window are loaded and kept up to date, before anyone scrolls there.
const AHEAD = 30;
// What was drawn a moment ago is not asked for again.
const FRESH_FOR_MS = 2_000;

/** Which rows are on screen. */
export interface RowRange {
  first: number;
  last: number;
}

/** The first page of a list; the rest is loaded page by page as it is shown. */
export function listQuery(query: MediaQuery, limit = FIRST_PAGE) {
  return queryOptions({
    queryKey: listKey(query),
    queryFn: async ({ signal }): Promise<ListData> =>
      firstPage(await loadPage(query, { cursor: null, signal, limit })),
    // Pages are loaded again on their own: never all that was scrolled through.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Names a list, so that what was kept of it is not taken for another. */
export function listName(query: MediaQuery): string {
  return JSON.stringify(Object.entries(query).sort());
}

/** How this list was left, if the view on screen is one that was there before. */
export function leftList(query: MediaQuery): LeftList | undefined {
  const list = leftView(currentStep().id)?.list;
  return list?.name === listName(query) ? list : undefined;
}

/** A list of any length, of which what is in view is loaded and kept up to date. */
export function useItemList(query: MediaQuery) {
  const [kept] = useState(() => leftList(query));
  const list = useQuery({
    ...listQuery(query),
    ...(kept && { initialData: () => placesOf(kept) }),
  });
  const { data } = list;
  const rows = useMemo(() => (data ? rowsOf(data) : NO_ROWS), [data]);
  // Until the rows are drawn, and where there are none: what is there first.
  const [range, setRange] = useState<RowRange>(() => {
    const row = kept?.row?.index ?? 0;
    return { first: row, last: row };
  });
  const loading = usePagesInView(query, { data, rows, range });
  useFreshOnReturn(query, list.dataUpdatedAt);
  return { list, kept, rows, setRange, ...loading };
}

const NO_ROWS: ListRows = { items: [], starts: [] };

/** The places of what was loaded; the rows themselves come as they are looked at. */
function placesOf({ pages, next }: LeftList): ListData {
  const places = pages.map((page) => ({ ...page, items: null, outdated: false }));
  return { pages: places, next, revision: 0 };
}

interface InView {
  data: ListData | undefined;
  rows: ListRows;
  range: RowRange;
}

/** Loads what is missing or outdated among the rows in view, then what follows; one by one. */
function usePagesInView(query: MediaQuery, { data, rows, range }: InView) {
  const client = useQueryClient();
  const busy = useRef(false);
  const [turn, setTurn] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const wanted = data && !error ? wantedPage(data, rows, range) : undefined;
  const cursor = wanted?.cursor;
  const limit = wanted?.limit;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn is over, so the next may begin.
  useEffect(() => {
    if (cursor === undefined || limit === undefined || busy.current) return;
    busy.current = true;
    bringPage(client, query, cursor, limit)
      .catch(setError)
      .finally(() => {
        busy.current = false;
        setTurn((last) => last + 1);
      });
  }, [client, query, cursor, limit, turn]);

  const retry = useCallback(() => setError(null), []);
  // Somebody marked the list as outdated: the server is back, or there is something new.
  // biome-ignore lint/correctness/useExhaustiveDependencies: that is what the revision tells.
  useEffect(retry, [retry, data?.revision]);
  return { error, retry, loadsMore: cursor !== undefined && cursor === data?.next };
}

function wantedPage(data: ListData, rows: ListRows, { first, last }: RowRange) {
  const near = pagesBetween(rows.starts, first - AHEAD, last + AHEAD);
  const missing = near
    .map((at) => data.pages[at])
    .find((page) => page && (page.outdated || !page.items));
  if (missing) return { cursor: missing.cursor, limit: limitOf(missing) };
  if (data.next === null || last < rows.items.length - AHEAD) return undefined;
  return { cursor: data.next, limit: LIMITS.page_size };
}

/** As many as it had, so that the next page can stay as it is. */
function limitOf({ cursor, size }: ListPage): number {
  const least = cursor === null ? FIRST_PAGE : LIMITS.page_size;
  return Math.min(LIMITS.page_size, Math.max(least, size));
}

/** Loads a page into its list. */
async function bringPage(
  client: QueryClient,
  query: MediaQuery,
  cursor: string | null,
  limit: number,
): Promise<void> {
  const key = listKey(query);
  const revision = client.getQueryData<ListData>(key)?.revision;
  const page = await client.fetchQuery({
    queryKey: pageKey(query, cursor),
    queryFn: ({ signal }) => loadPage(query, { cursor, limit, signal }),
    staleTime: 0,
    gcTime: 0,
  });
  client.setQueryData<ListData>(key, (data) => data && withPage(data, cursor, page, revision));
}

/** A list that was left, for the reader say, shows at once and is then brought up to date. */
function useFreshOnReturn(query: MediaQuery, updatedAt: number): void {
  const client = useQueryClient();
  const [atFirst] = useState(updatedAt);
  useEffect(() => {
    if (atFirst > 0 && Date.now() - atFirst > FRESH_FOR_MS) refreshItemList(client, query);
  }, [client, query, atFirst]);
}
