import type { QueryClient } from "@tanstack/react-query";
import type { Import } from "../api/imports";

export const IMPORTS_KEY = ["imports"] as const;

export function importKey(id: string) {
  return [...IMPORTS_KEY, id] as const;
}

/** Shows an import as it is now, wherever it is shown. */
export function putImport(client: QueryClient, changed: Import): void {
  client.setQueryData<Import>(importKey(changed.id), (old) => (old ? changed : old));
  client.setQueryData<Import[]>(IMPORTS_KEY, (list) =>
    list?.map((one) => (one.id === changed.id ? changed : one)),
  );
}

/** Takes an import out of what is shown. */
export function dropImport(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: importKey(id) });
  client.setQueryData<Import[]>(IMPORTS_KEY, (list) => list?.filter((one) => one.id !== id));
}
