import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Media } from "../../api/types";
import { PageIndex } from "../../shared/pages";
import { outlineQuery } from "./data/queries";

/** Where each page of the document begins; null where it has no pages, or until that is known. */
export function usePages({ id, page_count, capabilities }: Media): PageIndex | null {
  const query = outlineQuery(id, capabilities.can_highlight);
  const { data } = useQuery({ ...query, enabled: !!page_count });
  return useMemo(() => (data && data.pages.length > 0 ? new PageIndex(data) : null), [data]);
}
