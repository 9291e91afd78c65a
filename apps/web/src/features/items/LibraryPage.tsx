import { useMemo } from "react";
import { useParams } from "wouter";
import type { Library } from "../../api/types";
import { NotFoundPage } from "../../shared/NotFoundPage";
import { ShelfArt } from "../../ui/Art";
import { EmptyState, ErrorState } from "../../ui/States";
import { useTitle } from "../../ui/useTitle";
import { LibraryHeader } from "../libraries/LibraryHeader";
import { canManage } from "../libraries/order";
import { useLibraries } from "../libraries/queries";
import { AddButton, EmptyShelf } from "./EmptyViews";
import { ItemSkeleton } from "./ItemSkeleton";
import styles from "./Items.module.css";
import { ItemsView } from "./ItemsView";

/** One library: its name, what can be done to it, and what is in it. */
export function LibraryPage() {
  const { id } = useParams<{ id: string }>();
  const about = useMemo(() => ({ libraryId: id }), [id]);
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
      {library ? (
        <ItemsView
          about={about}
          library={library}
          label={`Items in ${library.name}`}
          empty={<EmptyLibrary library={library} />}
        />
      ) : (
        <ItemSkeleton />
      )}
    </div>
  );
}

function EmptyLibrary({ library }: { library: Library }) {
  if (library.is_default) return <EmptyShelf />;
  return (
    <EmptyState art={<ShelfArt />} title="An empty shelf">
      <p>
        Nothing is in “{library.name}” yet. Paste an address here to save it into this library, or
        choose “Add to library” in the menu of any item.
      </p>
      {canManage(library) && <AddButton />}
    </EmptyState>
  );
}
