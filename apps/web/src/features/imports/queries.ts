import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { fetchImport, fetchImports, forgetImport, type Import } from "../../api/imports";
import { dropImport, IMPORTS_KEY, importKey } from "../../shared/importCache";
import { refreshItems } from "../../shared/itemCache";
import { announce } from "../../ui/announce";
import { isMoving, STANDING_WORDS, standingOf } from "./words";

// Changes come as events; asking now and then is for when these do not get through.
const RUNNING_MS = 2_000;
const FETCHING_MS = 10_000;

/** The person's imports, the newest first. */
export function useImports() {
  return useQuery({
    queryKey: IMPORTS_KEY,
    queryFn: ({ signal }) => fetchImports(signal),
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? FETCHING_MS : false),
  });
}

const importQuery = (id: string) =>
  queryOptions({
    queryKey: importKey(id),
    queryFn: ({ signal }) => fetchImport(id, signal),
    refetchOnMount: "always",
    refetchInterval: ({ state: { data } }) => {
      if (!data || !isMoving(data)) return false;
      return standingOf(data) === "fetching" ? FETCHING_MS : RUNNING_MS;
    },
  });

/** One import, as it is now. Everything it changes is looked up again as it goes along. */
export function useImport(id: string) {
  const client = useQueryClient();
  const query = useQuery(importQuery(id));
  const standing = query.data && standingOf(query.data);
  useEffect(() => {
    if (!standing || standing === "preview") return;
    announce(STANDING_WORDS[standing]);
    refreshItems(client);
  }, [client, standing]);
  return query;
}

/** Does something to an import; what the server says of it then is shown at once. */
export function useImportChange<T = void>(change: (input: T) => Promise<Import>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (changed) => {
      client.setQueryData(importKey(changed.id), changed);
      void client.invalidateQueries({ queryKey: IMPORTS_KEY, exact: true });
    },
  });
}

/** Forgets a file that was only looked at. */
export function useDiscard(id: string, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => forgetImport(id),
    onSuccess: () => {
      onDone();
      dropImport(client, id);
    },
  });
}
