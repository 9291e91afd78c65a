import { queryOptions } from "@tanstack/react-query";
import { fetchFragment, fetchFragments } from "../../../api/fragments";
import { fetchMediaHighlights } from "../../../api/highlights";
import { fetchOutline } from "../../../api/media";
import { fetchPosition } from "../../../api/reading";

/** The text of an item, which never changes once it is there. */
export function fragmentsQuery(id: string) {
  return queryOptions({
    queryKey: ["reader", id, "fragments"],
    queryFn: ({ signal }) => fetchFragments(id, signal),
    staleTime: ({ state }) => (state.data?.length ? Number.POSITIVE_INFINITY : 0),
  });
}

const FRAGMENT_KEPT_MS = 60_000;

/** One fragment of an item. A book has many, so those that nobody looks at are soon forgotten. */
export function fragmentQuery(id: string) {
  return queryOptions({
    queryKey: ["reader", "fragment", id],
    queryFn: ({ signal }) => fetchFragment(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: FRAGMENT_KEPT_MS,
    retry: 1,
  });
}

/** The contents and pages of an item; there is more of them once it has its text. */
export function outlineQuery(id: string, hasText: boolean) {
  return queryOptions({
    queryKey: ["reader", id, "outline", hasText],
    queryFn: ({ signal }) => fetchOutline(id, signal),
    staleTime: hasText ? Number.POSITIVE_INFINITY : 0,
  });
}

const POSITION_PATIENCE_MS = 1_500;

/** Where the person was on their other devices, as the article opens; not worth a long wait. */
export function positionQuery(id: string) {
  return queryOptions({
    queryKey: ["reader", id, "position"],
    queryFn: ({ signal }) =>
      fetchPosition(id, AbortSignal.any([signal, AbortSignal.timeout(POSITION_PATIENCE_MS)])),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** The person's highlights on an item; looked at again whenever the window comes back. */
export function highlightsQuery(id: string) {
  return queryOptions({
    queryKey: ["reader", id, "highlights"],
    queryFn: ({ signal }) => fetchMediaHighlights(id, signal),
    refetchOnWindowFocus: "always",
  });
}
