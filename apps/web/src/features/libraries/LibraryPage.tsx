import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import { ApiError } from "../../api/errors";
import type { Library } from "../../api/types";
import { NotFoundPage } from "../../app/NotFoundPage";
import { ShelfArt } from "../../ui/Art";
import { Button } from "../../ui/Button";
import { EmptyState, ErrorState } from "../../ui/States";
import { useTitle } from "../../ui/useTitle";
import { LibraryHeader } from "./LibraryHeader";
import styles from "./LibraryPage.module.css";
import { MediaList, MediaListSkeleton } from "./MediaList";
import { libraryMediaQuery, useLibraries } from "./queries";

/** One library: its name, what can be done to it, and what is in it. */
export function LibraryPage() {
  const { id } = useParams<{ id: string }>();
  const libraries = useLibraries();
  const library = libraries.data?.find((one) => one.id === id);
  useTitle(library?.name);

  if (libraries.data && !library) return <NotFoundPage what="library" />;
  if (libraries.isError && !libraries.data) {
    return (
      <ErrorState
        level={1}
        error={libraries.error}
        retrying={libraries.isFetching}
        onRetry={() => libraries.refetch()}
      />
    );
  }
  return (
    <div className={styles.page}>
      <LibraryHeader key={id} library={library} />
      {library ? <LibraryItems library={library} /> : <MediaListSkeleton />}
    </div>
  );
}

function LibraryItems({ library }: { library: Library }) {
  const media = useInfiniteQuery(libraryMediaQuery(library.id));
  if (media.data) {
    const items = media.data.pages.flatMap((page) => page.items);
    if (items.length === 0) return <EmptyLibrary library={library} />;
    return (
      <>
        <MediaList items={items} label={`Items in ${library.name}`} />
        {media.hasNextPage && (
          <div className={styles.more}>
            <Button pending={media.isFetchingNextPage} onClick={() => media.fetchNextPage()}>
              Show more
            </Button>
          </div>
        )}
      </>
    );
  }
  if (media.isError) {
    if (isGone(media.error)) return <NotFoundPage what="library" />;
    return (
      <ErrorState error={media.error} retrying={media.isFetching} onRetry={() => media.refetch()} />
    );
  }
  return <MediaListSkeleton />;
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === "E_LIBRARY_NOT_FOUND";
}

function EmptyLibrary({ library }: { library: Library }) {
  if (library.is_default) {
    return (
      <EmptyState art={<ShelfArt />} title="Your shelf is ready">
        <p>
          Nothing is saved yet. Articles and files you keep will gather here, clean and quiet, with
          your highlights and notes beside the text.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState art={<ShelfArt />} title="An empty shelf">
      <p>
        Nothing is in “{library.name}” yet. What you put here is also in My Library, so you always
        find it there.
      </p>
    </EmptyState>
  );
}
