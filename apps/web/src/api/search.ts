import { request } from "./client";
import type { Page, Schemas } from "./types";

/** What was found: an item by its title, authors, site or tags; a passage of its text; or a mark. */
export type SearchResult = Schemas["SearchResult"];
/** A line of what was found; the hits are code points [start, end) of its text. */
export type Snippet = Schemas["SnippetOut"];

interface SearchOptions {
  cursor: string | null;
  limit: number;
  signal: AbortSignal;
}

/** One page of what a query finds, the best first. */
export async function fetchResults(
  q: string,
  { cursor, limit, signal }: SearchOptions,
): Promise<Page<SearchResult>> {
  const answer = await request<Schemas["SearchResults"]>("GET", "/api/search", {
    query: { q, cursor, limit },
    signal,
  });
  return { items: answer.results, nextCursor: answer.next_cursor };
}
