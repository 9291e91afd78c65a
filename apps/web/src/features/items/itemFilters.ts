import type { MediaQuery } from "../../api/media";
import type { Media, MediaKind } from "../../api/types";
import { ADDED_KINDS } from "../../shared/kinds";
import { type ItemState, itemState, shownTitle } from "./itemWords";

export const STATE_FILTERS = ["ready", "elsewhere", "waiting", "reading", "failed"] as const;
export const SORTS = ["newest", "oldest", "title"] as const;

export type StateFilter = (typeof STATE_FILTERS)[number];
export type Sort = (typeof SORTS)[number];

/** What a list is narrowed to and ordered by; it lives in the address. */
export interface ItemFilters {
  state: StateFilter | null;
  kind: MediaKind | null;
  sort: Sort;
}

const STATES: Record<StateFilter, readonly ItemState[]> = {
  ready: ["ready"],
  elsewhere: ["stored", "elsewhere"],
  waiting: ["waiting", "no-file"],
  reading: ["reading"],
  failed: ["failed"],
};

// What can be opened may have any status, so that is sorted out here, not by the server.
const STATUS: Record<StateFilter, string | null> = {
  ready: null,
  elsewhere: null,
  waiting: "pending",
  reading: "extracting",
  failed: "failed",
};

/** Reads the filters from the query string; what it does not know is not there. */
export function readFilters(search: string): ItemFilters {
  const params = new URLSearchParams(search);
  return {
    state: oneOf(STATE_FILTERS, params.get("state")),
    kind: oneOf(ADDED_KINDS, params.get("kind")),
    sort: oneOf(SORTS, params.get("sort")) ?? "newest",
  };
}

function oneOf<T extends string>(known: readonly T[], value: string | null): T | null {
  return known.find((one) => one === value) ?? null;
}

/** The query string of filters, with its question mark; empty when nothing is narrowed. */
export function filterSearch({ state, kind, sort }: ItemFilters): string {
  const params = new URLSearchParams();
  if (state) params.set("state", state);
  if (kind) params.set("kind", kind);
  if (sort !== "newest") params.set("sort", sort);
  const text = params.toString();
  return text && `?${text}`;
}

/** What to ask the server for. */
export function toMediaQuery(filters: ItemFilters, libraryId: string | null): MediaQuery {
  const status = filters.state && STATUS[filters.state];
  return {
    ...(libraryId && { libraryId }),
    ...(filters.kind && { kind: filters.kind }),
    ...(status && { status }),
  };
}

const byTitle = new Intl.Collator("en", { sensitivity: "base", numeric: true });

/** The items to show out of those loaded, in their order. They come with the last added first. */
export function arrange<T extends Media>(items: readonly T[], filters: ItemFilters): T[] {
  const { state, sort } = filters;
  const shown = items.filter((media) => !state || STATES[state].includes(itemState(media)));
  if (sort === "oldest") return shown.reverse();
  if (sort === "title") shown.sort((a, b) => byTitle.compare(shownTitle(a), shownTitle(b)));
  return shown;
}
