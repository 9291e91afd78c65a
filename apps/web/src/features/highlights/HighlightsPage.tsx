import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { fetchAllHighlights, type HighlightOfMedia } from "../../api/highlights";
import { PageMark } from "../../shared/PageMark";
import { paths } from "../../shared/paths";
import { ShelfArt } from "../../ui/Art";
import { Button } from "../../ui/Button";
import { EmptyState, ErrorState, SkeletonRows } from "../../ui/States";
import { Time } from "../../ui/Time";
import { useTitle } from "../../ui/useTitle";
import "../reader/highlights.css";
import { type ArticleGroup, groupByArticle } from "./groups";
import styles from "./HighlightsPage.module.css";

/** Everything the person has highlighted, the newest first, under the articles it is from. */
export function HighlightsPage() {
  useTitle("Highlights");
  return (
    <div className={styles.page}>
      <h1>Highlights</h1>
      <AllHighlights />
    </div>
  );
}

function AllHighlights() {
  const query = useInfiniteQuery({
    queryKey: ["highlights"],
    queryFn: ({ pageParam, signal }) => fetchAllHighlights(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: "always",
  });
  if (query.data) {
    const highlights = query.data.pages.flatMap((page) => page.items);
    if (highlights.length === 0) return <NoHighlights />;
    return (
      <>
        {groupByArticle(highlights).map((group) => (
          <Article key={group.mediaId} group={group} />
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

function Article({ group }: { group: ArticleGroup }) {
  return (
    <section className={styles.article}>
      <h2 className={styles.title} dir="auto">
        <Link href={paths.read(group.mediaId)}>{group.title}</Link>
      </h2>
      <ul className={styles.list} aria-label={`Highlights in ${group.title}`}>
        {group.highlights.map((highlight) => (
          <Row key={highlight.id} highlight={highlight} />
        ))}
      </ul>
    </section>
  );
}

function Row({ highlight }: { highlight: HighlightOfMedia }) {
  const { id, media_id, exact, color, annotation, chapter, created_at } = highlight;
  return (
    <li className={styles.row} data-color={color}>
      <Link href={paths.read(media_id, id)} className={styles.link}>
        <span className="visually-hidden">{color} highlight: </span>
        <span className={styles.quote} dir="auto">
          {exact}
        </span>
      </Link>
      {annotation && (
        <p className={styles.note} dir="auto">
          {annotation.body}
        </p>
      )}
      <p className={styles.meta}>
        {chapter && (
          <span className={styles.chapter} dir="auto">
            {chapter}
          </span>
        )}
        <PageMark of={highlight} className={styles.where} />
        <Time at={created_at} />
      </p>
    </li>
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

function NoHighlights() {
  return (
    <EmptyState art={<ShelfArt />} title="Nothing highlighted yet">
      <p>Open an article and select a passage. Your highlights and notes will appear here.</p>
    </EmptyState>
  );
}
