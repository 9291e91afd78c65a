import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../../api/errors";
import { createLibrary, deleteLibrary, fetchLibraries, renameLibrary } from "../../api/libraries";
import type { Library } from "../../api/types";
import { inSidebarOrder } from "./order";

const librariesQuery = queryOptions({
  queryKey: ["libraries"],
  queryFn: ({ signal }) => fetchLibraries(signal),
  select: inSidebarOrder,
});

/** The person's libraries, in the order of the sidebar. */
export function useLibraries() {
  return useQuery(librariesQuery);
}

/** Applies a change to the cached list, so that the sidebar shows it before the next fetch. */
function useLibraryListUpdate() {
  const client = useQueryClient();
  return (change: (libraries: Library[]) => Library[]) => {
    client.setQueryData<Library[]>(librariesQuery.queryKey, (old) => old && change(old));
    void client.invalidateQueries({ queryKey: librariesQuery.queryKey, exact: true });
  };
}

// The follow-up is part of the mutation, not of the call: it must run even if the row or form
// that started it has left the page by then.

/** Creates a library. */
export function useCreateLibrary(onCreated: (library: Library) => void) {
  const update = useLibraryListUpdate();
  return useMutation({
    mutationFn: createLibrary,
    onSuccess: (created) => {
      update((all) => [...all, created]);
      onCreated(created);
    },
  });
}

/** Renames a library. */
export function useRenameLibrary(id: string, onRenamed: () => void) {
  const update = useLibraryListUpdate();
  return useMutation({
    mutationFn: (name: string) => renameLibrary(id, name),
    onSuccess: ({ name }) => {
      update((all) => all.map((one) => (one.id === id ? { ...one, name } : one)));
      onRenamed();
    },
  });
}

/** Deletes a library. One that is already gone counts as deleted. */
export function useDeleteLibrary(id: string, onDeleted: () => void) {
  const update = useLibraryListUpdate();
  return useMutation({
    mutationFn: async () => {
      try {
        await deleteLibrary(id);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "E_LIBRARY_NOT_FOUND")) throw error;
      }
    },
    onSuccess: () => {
      update((all) => all.filter((one) => one.id !== id));
      onDeleted();
    },
  });
}
