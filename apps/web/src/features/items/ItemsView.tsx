import { useQuery } from "@tanstack/react-query";
import { type ReactNode, use, useMemo, useSyncExternalStore } from "react";
import { useLocation, useSearch } from "wouter";
import { errorWords } from "../../api/errorWords";
import type { MediaQuery, Sort } from "../../api/media";
import type { Library } from "../../api/types";
import { isEmpty } from "../../shared/itemPages";
import { Button } from "../../ui/Button";
import { EmptyState, ErrorState } from "../../ui/States";
import { ItemList } from "./ItemList";
import { ItemSkeleton } from "./ItemSkeleton";
import styles from "./Items.module.css";
import { ItemToolbar } from "./ItemToolbar";
import { isNarrowed, readFilters, toMediaQuery } from "./itemFilters";
import { SelectionBar } from "./SelectionBar";
import { currentSaves, onSavesChange, type Save } from "./saves";
import { ListSlotsContext } from "./slots";
import { listName, listQuery, useItemList } from "./useItemList";
import { loadedIds } from "./useListKeys";
import { useReadersAhead } from "./useReadersAhead";

interface ItemsViewProps {
  /** What the view is about; the filters narrow it further. */
  about: MediaQuery;
  /** The order until another is chosen. */
  sort?: Sort | undefined;
  /** The library shown, if it is one. */
  library?: Library;
  /** Names the list for screen readers. */
  label: string;
  /** Shown when there is nothing at all. */
  empty: ReactNode;
  /** Stands above the whole list, not above one that is narrowed. */
  above?: ReactNode;
}

/** A list of items with its filters, in every state it can be in. */
export function ItemsView({ about, sort = "newest", above, empty, ...view }: ItemsViewProps) {
  const search = useSearch();
  const filters = useMemo(() => readFilters(search, sort), [search, sort]);
  const query = useMemo(() => toMediaQuery(filters, about), [filters, about]);
  const saves = useSavesFor(query, view.library);
  // The list below loads it; this only looks on, so that the filters stay while it changes.
  const { data } = useQuery({ ...listQuery(query), enabled: false });
  const narrowed = isNarrowed(filters);
  const nothing = data !== undefined && isEmpty(data) && saves.length === 0;
  if (nothing && !narrowed) return <Empty query={query}>{empty}</Empty>;
  return (
    <>
      {data && !narrowed && above}
      {(data || narrowed) && <ItemToolbar filters={filters} about={about} usualSort={sort} />}
      <Loaded key={listName(query)} query={query} saves={saves} {...view} />
    </>
  );
}

/** Says that there is nothing, for as long as that is so. */
function Empty({ query, children }: { query: MediaQuery; children: ReactNode }) {
  useItemList(query);
  return children;
}

interface LoadedProps extends Pick<ItemsViewProps, "library" | "label"> {
  query: MediaQuery;
  saves: readonly Save[];
}

function Loaded({ query, saves, library, label }: LoadedProps) {
  const { list, kept, rows, setRange, error, retry, loadsMore } = useItemList(query);
  useReadersAhead(rows.items);
  const { Keys } = use(ListSlotsContext);
  if (!list.data) {
    if (list.isError) {
      return (
        <ErrorState error={list.error} retrying={list.isFetching} onRetry={() => list.refetch()} />
      );
    }
    return <ItemSkeleton />;
  }
  if (isEmpty(list.data) && saves.length === 0) return <NothingMatches />;
  return (
    <>
      <ItemList
        query={query}
        data={list.data}
        items={rows.items}
        saves={saves}
        library={library}
        label={label}
        kept={kept}
        onRange={setRange}
      />
      {error ? <NotLoaded error={error} onRetry={retry} /> : loadsMore && <ItemSkeleton rows={2} />}
      <SelectionBar loaded={() => loadedIds(rows.items)} library={library} />
      {Keys && <Keys library={library} />}
    </>
  );
}

/** What is being saved belongs to every list that will hold it, except where nothing new is. */
function useSavesFor(query: MediaQuery, library: Library | undefined): readonly Save[] {
  const saves = useSyncExternalStore(onSavesChange, currentSaves);
  const old = query.archived || query.favourite || query.tags || query.state === "reading";
  return useMemo(() => {
    if (old) return [];
    if (!library || library.is_default) return saves;
    return saves.filter((save) => save.libraryId === library.id);
  }, [saves, library, old]);
}

function NotLoaded({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className={styles.more}>
      <p>Could not load more items. {errorWords(error)}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

function NothingMatches() {
  const [path, navigate] = useLocation();
  return (
    <EmptyState title="No matches">
      <p>Nothing here fits these filters.</p>
      <Button onClick={() => navigate(path, { replace: true })}>Clear filters</Button>
    </EmptyState>
  );
}
