import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { fetchResults } from "../../api/search";

const DEBOUNCE_MS = 150;
const SLOW_MS = 2_500;
const LIMIT = 8;

/** A value once it has stayed the same for a while. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/**
 * What a query finds while it is typed. A request for an older query is cancelled, and what it
 * finds is never shown; what was found last stays until there is something newer.
 */
export function useTypedResults(query: string) {
  const settled = useSettled(query, DEBOUNCE_MS);
  const wanted = query.trim() !== "";
  const search = useQuery({
    queryKey: ["search", "typed", settled],
    queryFn: ({ signal }) => fetchResults(settled, { cursor: null, limit: LIMIT, signal }),
    enabled: wanted && settled.trim() !== "",
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
  const current = settled === query && !search.isPlaceholderData && !search.isFetching;
  const busy = wanted && !current;
  const slow = useSettled(busy, SLOW_MS) && busy;
  return {
    results: (wanted && search.data?.items) || [],
    // A page may be shorter because something in it could not be shown, and be the last one.
    hasMore: search.data?.nextCursor != null && search.data.items.length >= LIMIT,
    error: wanted && current ? search.error : null,
    ...{ busy, slow },
  };
}

export type TypedResults = ReturnType<typeof useTypedResults>;
