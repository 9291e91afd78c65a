import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link, useSearch } from "wouter";
import { fetchAllHighlights, type HighlightQuery } from "../../api/highlights";
import { CopyMenu } from "../../shared/CopyMenu";
import { paths } from "../../shared/paths";
import { ShelfArt } from "../../ui/Art";
import { Button } from "../../ui/Button";
import { EmptyState, ErrorState, SkeletonRows } from "../../ui/States";
import { useTitle } from "../../ui/useTitle";
import "../reader/highlights.css";
import { CopyButtons } from "./CopyButtons";
import { type ArticleGroup, groupByArticle } from "./groups";
import { HighlightRow } from "./HighlightRow";
import styles from "./HighlightsPage.module.css";
import { ClearFilters, HighlightToolbar } from "./HighlightToolbar";
import { filterSearch, readFilters } from "./highlightFilters";

/** What the person has highlighted, the newest first, under the articles it is from. */
export function HighlightsPage() {
  useTitle("Highlights");
  const wanted = readFilters(useSearch());
  return (
    <div className={styles.page}>
      <h1>Highlights</h1>
      <HighlightToolbar />
      <FoundHighlights wanted={wanted} />
    </div>
  );
}

function FoundHighlights({ wanted }: { wanted: HighlightQuery }) {
  const query = useInfiniteQuery({
    queryKey: ["highlights", wanted],
    queryFn: ({ pageParam, signal }) => fetchAllHighlights(wanted, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    refetchOnMount: "always",
  });
  if (query.data && !(query.isError && query.isPlaceholderData)) {
    const highlights = query.data.pages.flatMap((page) => page.items);
    if (highlights.length === 0) return filterSearch(wanted) ? <NoneFound /> : <NoHighlights />;
    return (
      <>
        <CopyButtons wanted={wanted} />
        {groupByArticle(highlights).map((group) => (
          <Article key={group.mediaId} group={group} wanted={wanted} />
        ))}
        {query.hasNextPage && (
          <More
            pending={query.isFetchingNextPage}
            failed={query.isFetchNextPageError}
            onMore={() => query.fetchNextPage()}
          />
        )}
      </>
    );
  }
  if (query.isError) {
    return (
      <ErrorState error={query.error} retrying={query.isFetching} onRetry={() => query.refetch()} />
    );
  }
  return <SkeletonRows rows={8} label="Loading your highlights" />;
}

function Article({ group, wanted }: { group: ArticleGroup; wanted: HighlightQuery }) {
  const only = { ...wanted, media_id: group.mediaId };
  return (
    <section className={styles.article}>
      <header className={styles.head}>
        <h2 className={styles.title} dir="auto">
          <Link href={paths.read(group.mediaId)}>{group.title}</Link>
        </h2>
        {!wanted.media_id && (
          <Link
            href={paths.highlights + filterSearch(only)}
            aria-label={`Only these, from ${group.title}`}
            className={styles.only}
          >
            Only these
          </Link>
        )}
        <CopyMenu wanted={only} label={`Copy highlights in ${group.title}`} />
      </header>
      <ul className={styles.list} aria-label={`Highlights in ${group.title}`}>
        {group.highlights.map((highlight) => (
          <HighlightRow key={highlight.id} highlight={highlight} />
        ))}
      </ul>
    </section>
  );
}

interface MoreProps {
  pending: boolean;
  failed: boolean;
  onMore: () => void;
}

/** Fetches the next page when it comes into view; the button is there for when that fails. */
function More({ pending, failed, onMore }: MoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  useEffect(() => {
    if (pending || failed || !end.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && latest.current(),
      { rootMargin: "600px" },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [pending, failed]);
  return (
    <div ref={end} className={styles.more}>
      <Button pending={pending} onClick={onMore}>
        {failed ? "Try again" : "Show more"}
      </Button>
    </div>
  );
}

function NoneFound() {
  return (
    <EmptyState art={<ShelfArt />} title="No highlights like these">
      <p>None of your highlights and notes match all of the filters.</p>
      <ClearFilters />
    </EmptyState>
  );
}

function NoHighlights() {
  return (
    <EmptyState art={<ShelfArt />} title="Nothing highlighted yet">
      <p>Open an article and select a passage. Your highlights and notes will appear here.</p>
    </EmptyState>
  );
}
