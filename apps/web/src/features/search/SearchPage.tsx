import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { fetchResults } from "../../api/search";
import { paths } from "../../shared/paths";
import { useUser } from "../../shared/session";
import { Button } from "../../ui/Button";
import { EmptyState, ErrorState, SkeletonRows } from "../../ui/States";
import { useTitle } from "../../ui/useTitle";
import { FilterHelp } from "./FilterHelp";
import { isUnfinished } from "./filters";
import { ResultRow, resultLinks } from "./ResultRow";
import { addRecent } from "./recentSearches";
import { countWords, resultKey } from "./results";
import { SearchForm } from "./SearchForm";
import styles from "./SearchPage.module.css";
import { isInvalid } from "./StatusLine";
import { useResultKeys } from "./useResultKeys";
import { useSettled } from "./useTypedResults";

const LIMIT = 20;
const DEBOUNCE_MS = 250;
/** So long the results of a search are there to come back to. */
const KEPT_MS = 30 * 60_000;

/** Everything a query finds. The query is in the address. */
export function SearchPage() {
  const [text, setText, query] = useQueryInAddress();
  useTitle(query ? `Search: ${query}` : "Search");
  useResultKeys();
  const found = useResults(query);
  const invalid = isInvalid(found.error) && !isUnfinished(text);
  return (
    <div className={styles.page}>
      <h1>Search</h1>
      <SearchForm text={text} onChange={setText} error={invalid ? found.error : null} />
      {query ? (
        <>
          <details className={styles.tips}>
            <summary>How to narrow it</summary>
            <FilterHelp text={text} onChange={setText} />
          </details>
          <Found query={query} found={found} />
        </>
      ) : (
        <FilterHelp text={text} onChange={setText} />
      )}
    </div>
  );
}

/** What is typed, and the query that it has become: the address has it a little later. */
function useQueryInAddress(): [string, (text: string) => void, string] {
  const asked = new URLSearchParams(useSearch()).get("q") ?? "";
  const [, navigate] = useLocation();
  const [text, setText] = useState(asked);
  const settled = useSettled(text, DEBOUNCE_MS);
  const written = useRef(asked);
  useEffect(() => {
    // Somebody went to another query by a link or by the history.
    if (asked === written.current) return;
    written.current = asked;
    setText(asked);
  }, [asked]);
  useEffect(() => {
    if (settled === written.current) return;
    written.current = settled;
    navigate(paths.search(settled), { replace: true });
  }, [settled, navigate]);
  return [text, setText, asked.trim()];
}

function useResults(query: string) {
  return useInfiniteQuery({
    queryKey: ["search", "all", query],
    queryFn: ({ pageParam, signal }) =>
      fetchResults(query, { cursor: pageParam, limit: LIMIT, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: query !== "",
    gcTime: KEPT_MS,
  });
}

interface FoundProps {
  query: string;
  found: ReturnType<typeof useResults>;
}

function Found({ query, found }: FoundProps) {
  const user = useUser();
  const results = found.data?.pages.flatMap((page) => page.items) ?? [];
  const onMore = useFocusOnMore(results.length);
  if (isInvalid(found.error)) return null;
  if (found.isError && !found.data) {
    return (
      <ErrorState error={found.error} retrying={found.isFetching} onRetry={() => found.refetch()} />
    );
  }
  if (!found.data) return <SkeletonRows rows={6} label="Searching" />;
  if (results.length === 0) return <NothingFound query={query} />;
  return (
    <>
      <p role="status" className={styles.count}>
        {countWords(results.length, found.hasNextPage)}
      </p>
      <ol className={styles.list} aria-label="Search results">
        {results.map((result) => (
          <ResultRow
            key={resultKey(result)}
            result={result}
            onOpen={() => addRecent(user.id, query)}
          />
        ))}
      </ol>
      {found.hasNextPage && (
        <div className={styles.more}>
          {found.isFetchNextPageError && <p role="alert">More results could not be loaded.</p>}
          <Button
            pending={found.isFetchingNextPage}
            onClick={() => {
              onMore();
              void found.fetchNextPage();
            }}
          >
            {found.isFetchNextPageError ? "Try again" : "Show more"}
          </Button>
        </div>
      )}
    </>
  );
}

function NothingFound({ query }: { query: string }) {
  return (
    <EmptyState title="Nothing found">
      <p role="status">
        Nothing you can read has <q>{query}</q> in it. Try fewer words, only the beginning of a
        word, or no filters.
      </p>
    </EmptyState>
  );
}

/** After more was asked for, reading goes on with the first new result. */
function useFocusOnMore(shown: number): () => void {
  const before = useRef<number | null>(null);
  useEffect(() => {
    if (before.current === null || shown <= before.current) return;
    resultLinks()[before.current]?.focus({ preventScroll: true });
    before.current = null;
  }, [shown]);
  return () => {
    before.current = shown;
  };
}
