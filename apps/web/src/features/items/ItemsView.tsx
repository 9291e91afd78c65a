import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLocation, useSearch } from "wouter";
import type { Library } from "../../api/types";
import { currentStep, keepView, leftView } from "../../shared/places";
import { Button } from "../../ui/Button";
import { EmptyState, ErrorState } from "../../ui/States";
import { ItemList, ItemSkeleton, itemLinks } from "./ItemList";
import styles from "./Items.module.css";
import { ItemToolbar } from "./ItemToolbar";
import { arrange, type ItemFilters, readFilters, toMediaQuery } from "./itemFilters";
import { itemsQuery } from "./queries";
import { currentSaves, onSavesChange, type Save } from "./saves";

// The server lists the newest first. Any other order needs every page; beyond this it would take
// longer than anyone wants to wait, and the page says that it ordered only what is there.
const MAX_SORTED_PAGES = 40;
// With items left out of a page by their state, go on until there is something to look at.
const ENOUGH_ROWS = 20;

interface ItemsViewProps {
  /** The library shown; all of them when left out. */
  library?: Library;
  /** Names the list for screen readers. */
  label: string;
  /** Shown when there is nothing at all. */
  empty: ReactNode;
}

/** A list of items with its filters, in every state it can be in. */
export function ItemsView({ library, label, empty }: ItemsViewProps) {
  const filters = readFilters(useSearch());
  const saves = useSavesFor(library);
  const list = useInfiniteQuery(itemsQuery(toMediaQuery(filters, library?.id ?? null)));
  const items = arrange(list.data?.pages.flatMap((page) => page.items) ?? [], filters);
  const filling = useFilling(list, filters, items.length);
  useKeptPages(list.data?.pages.length ?? 0);
  const onMore = useFocusOnMore(items.length);
  const narrowed = filters.state !== null || filters.kind !== null;

  if (!list.data) {
    if (list.isError) {
      return (
        <ErrorState error={list.error} retrying={list.isFetching} onRetry={() => list.refetch()} />
      );
    }
    return <ItemSkeleton />;
  }
  const nothing = items.length === 0 && saves.length === 0;
  if (nothing && !narrowed && !list.hasNextPage) return empty;
  return (
    <>
      <ItemToolbar filters={filters} />
      {filling.sortedInPart && (
        <p className={styles.note}>
          Only the {items.length.toLocaleString("en")} newest are sorted; there are more.
        </p>
      )}
      {nothing && !filling.busy && !list.hasNextPage ? (
        <NothingMatches />
      ) : (
        <ItemList items={items} saves={saves} library={library} label={label} />
      )}
      {filling.busy ? (
        <ItemSkeleton rows={2} />
      ) : (
        list.hasNextPage && <ShowMore list={list} onMore={onMore} />
      )}
    </>
  );
}

function useSavesFor(library: Library | undefined): readonly Save[] {
  const saves = useSyncExternalStore(onSavesChange, currentSaves);
  if (!library || library.is_default) return saves;
  return saves.filter((save) => save.libraryId === library.id);
}

type List = ReturnType<typeof useInfiniteQuery<unknown>>;
type Filling = Pick<
  List,
  "hasNextPage" | "isFetching" | "isFetchingNextPage" | "isFetchNextPageError" | "fetchNextPage"
> & { data?: { pages: unknown[] } | undefined };

/** Loads on by itself where one page is not enough to show what was asked for. */
function useFilling(list: Filling, filters: ItemFilters, shown: number) {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  const pages = list.data?.pages.length ?? 0;
  // As many as there were when one went away from here, so that there is a place to come back to.
  const [before] = useState(() => leftView(currentStep().id)?.pages ?? 0);
  const sorted = filters.sort !== "newest";
  const wanted = sorted || pages < before || (filters.state !== null && shown < ENOUGH_ROWS);
  const goOn = hasNextPage && wanted && pages < MAX_SORTED_PAGES && !isFetchNextPageError;
  // Asked again when any fetch ends: a refresh may have cut the one for the next page short.
  useEffect(() => {
    if (goOn && !isFetching) void fetchNextPage();
  }, [goOn, isFetching, fetchNextPage]);
  return { busy: goOn, sortedInPart: sorted && hasNextPage && !goOn };
}

/** Remembers how much of the list was loaded, for when one comes back to it. */
function useKeptPages(pages: number): void {
  useEffect(() => {
    if (pages > 1) keepView({ pages });
  }, [pages]);
}

interface ShowMoreProps {
  list: Filling;
  onMore: () => void;
}

function ShowMore({ list, onMore }: ShowMoreProps) {
  const failed = list.isFetchNextPageError;
  const more = () => {
    onMore();
    void list.fetchNextPage();
  };
  return (
    <div className={styles.more}>
      {failed && <p role="alert">Could not load more items.</p>}
      <Button pending={list.isFetchingNextPage} onClick={more}>
        {failed ? "Try again" : "Show more"}
      </Button>
    </div>
  );
}

/** After more was asked for, reading goes on with the first new item: the button may be gone. */
function useFocusOnMore(shown: number): () => void {
  const before = useRef<number | null>(null);
  useEffect(() => {
    if (before.current === null || shown <= before.current) return;
    itemLinks()[before.current]?.focus({ preventScroll: true });
    before.current = null;
  }, [shown]);
  return () => {
    before.current = shown;
  };
}

function NothingMatches() {
  const [path, navigate] = useLocation();
  return (
    <EmptyState title="No matches">
      <p>No item here has that status and kind.</p>
      <Button onClick={() => navigate(path, { replace: true })}>Show all items</Button>
    </EmptyState>
  );
}
