import { queryOptions } from "@tanstack/react-query";
import { fetchFragments } from "../../../api/fragments";
import { fetchMediaHighlights } from "../../../api/highlights";

/** The text of an item, which never changes. */
export function fragmentsQuery(id: string) {
  return queryOptions({
    queryKey: ["reader", id, "fragments"],
    queryFn: ({ signal }) => fetchFragments(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
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
