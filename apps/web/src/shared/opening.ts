import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { fetchOpening, type Opening } from "../api/reading";

// An item opens with one request. The queries of a reader stay what they are, each with a life of its
// own in the cache; when they first ask, they take their part out of that response.

/** For how long what was loaded ahead is worth showing. */
const FRESH_MS = 30_000;

type Part = keyof Opening;

interface Opened {
  parts: Opening;
  /** Whether the text was asked for, or was known. */
  withText: boolean;
  /** Who asks a second time wants something newer. */
  taken: Set<Part>;
}

/** Where the text of an item that is read as a whole is cached. */
export const textKey = (id: string) => ["reader", id, "fragments"] as const;

/** Has this item's text been loaded before? It never changes. */
export function isTextKnown(client: QueryClient, id: string): boolean {
  return (client.getQueryData<readonly unknown[]>(textKey(id))?.length ?? 0) > 0;
}

function openingQuery(id: string) {
  return queryOptions({
    queryKey: ["reader", id, "opening"],
    queryFn: async ({ client, signal }): Promise<Opened> => {
      const withText = !isTextKnown(client, id);
      return { parts: await fetchOpening(id, withText, signal), withText, taken: new Set() };
    },
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
    // The queries that take its parts try again, each for itself.
    retry: false,
    structuralSharing: false,
  });
}

/** Asks for all that opens an item, unless that is here or on its way. */
export function beginOpening(client: QueryClient, id: string): void {
  void client.prefetchQuery(openingQuery(id));
}

/** Nobody wants to open it any more: what is still on its way is dropped. */
export function giveUpOpening(client: QueryClient, id: string): void {
  void client.cancelQueries({ queryKey: openingQuery(id).queryKey, exact: true });
}

/** Asks for all that opens an item. Comes before the queries that take their part of it. */
export function useOpening(id: string, enabled = true): void {
  const client = useQueryClient();
  useEffect(() => {
    if (enabled) beginOpening(client, id);
  }, [client, id, enabled]);
}

/** A part of what an item opens with, if there is such a response, or one is on its way. */
export async function openedPart<P extends Part>(
  client: QueryClient,
  id: string,
  part: P,
): Promise<Opening[P] | undefined> {
  const query = openingQuery(id);
  const state = client.getQueryState(query.queryKey);
  if (!state) return undefined;
  const isFresh = state.data !== undefined && Date.now() - state.dataUpdatedAt < FRESH_MS;
  if (state.fetchStatus !== "fetching" && !isFresh) return undefined;
  const { parts, withText, taken } = await client.fetchQuery(query);
  if (taken.has(part) || (part === "fragment" && !withText)) return undefined;
  taken.add(part);
  return parts[part];
}
