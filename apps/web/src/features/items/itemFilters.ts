import type { MediaQuery, Sort } from "../../api/media";
import type { MediaKind } from "../../api/types";
import { ADDED_KINDS } from "../../shared/kinds";
import { isSameTag } from "../../shared/tags";

export const SORTS = ["newest", "oldest", "opened", "title", "length"] as const;
// More than that nobody looks for at once, and an address has to end somewhere.
const MAX_TAGS = 10;

// Two questions the server is asked, and one choice for people: how far they are with an item, or
// how far the server is.
const STATES = {
  unread: { state: "unread" },
  reading: { state: "reading" },
  finished: { state: "finished" },
  waiting: { status: "pending" },
  processing: { status: "extracting" },
  failed: { status: "failed" },
} as const satisfies Record<string, Pick<MediaQuery, "state" | "status">>;

export type StateFilter = keyof typeof STATES;
const STATE_FILTERS = Object.keys(STATES) as StateFilter[];

/** What a list is narrowed to and ordered by; it lives in the address. */
export interface ItemFilters {
  state: StateFilter | null;
  kind: MediaKind | null;
  tags: readonly string[];
  sort: Sort;
}

/** Nothing narrowed; says nothing about the order. */
export const NO_FILTERS = { state: null, kind: null, tags: [] } as const;

/** Reads the filters from the query string; what it does not know is not there. */
export function readFilters(search: string, usualSort: Sort = "newest"): ItemFilters {
  const params = new URLSearchParams(search);
  return {
    state: oneOf(STATE_FILTERS, params.get("state")),
    kind: oneOf(ADDED_KINDS, params.get("kind")),
    tags: withoutDoubles(params.getAll("tag")).slice(0, MAX_TAGS),
    sort: oneOf(SORTS, params.get("sort")) ?? usualSort,
  };
}

function oneOf<T extends string>(known: readonly T[], value: string | null): T | null {
  return known.find((one) => one === value) ?? null;
}

function withoutDoubles(tags: readonly string[]): string[] {
  const named = tags.map((tag) => tag.trim()).filter(Boolean);
  return named.filter((tag, at) => named.findIndex((one) => isSameTag(one, tag)) === at);
}

/** The query string of filters, with its question mark; empty when nothing is narrowed. */
export function filterSearch(filters: ItemFilters, usualSort: Sort = "newest"): string {
  const { state, kind, tags, sort } = filters;
  const params = new URLSearchParams();
  if (state) params.set("state", state);
  if (kind) params.set("kind", kind);
  for (const tag of tags) params.append("tag", tag);
  if (sort !== usualSort) params.set("sort", sort);
  const text = params.toString();
  return text && `?${text}`;
}

/** Is the list narrowed, and not only ordered? */
export function isNarrowed({ state, kind, tags }: ItemFilters): boolean {
  return state !== null || kind !== null || tags.length > 0;
}

/** What to ask the server for: what the view is about cannot be filtered away. */
export function toMediaQuery(filters: ItemFilters, view: MediaQuery): MediaQuery {
  const { state, kind, sort } = filters;
  const tags = withoutDoubles([...(view.tags ?? []), ...filters.tags]);
  return {
    ...(state && STATES[state]),
    ...(kind && { kind }),
    ...(sort !== "newest" && { sort }),
    ...view,
    ...(tags.length > 0 && { tags }),
  };
}
