import type { QueryClient } from "@tanstack/react-query";
import type { Library } from "../../api/types";
import { canManage } from "./order";

/** The library whose page is open, if the person may put things into it by saving them there. */
export function libraryInView(client: QueryClient): Library | undefined {
  const id = /^\/libraries\/([^/]+)$/.exec(window.location.pathname)?.[1];
  if (!id) return undefined;
  const libraries = client.getQueryData<Library[]>(["libraries"]) ?? [];
  return libraries.find((library) => library.id === decodeURIComponent(id) && canManage(library));
}
