import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { fetchFirstFragment, fetchFragment } from "../../../api/fragments";
import { fetchMediaHighlights } from "../../../api/highlights";
import { fetchOutline } from "../../../api/media";
import { fetchPosition } from "../../../api/reading";
import { isTextKnown, openedPart, textKey } from "../../../shared/opening";

/**
 * The text of an item that is read as a whole, which never changes once it is there. It may turn out
 * to be a book, so no more than one fragment is asked for.
 */
export function fragmentsQuery(id: string) {
  return queryOptions({
    queryKey: textKey(id),
    queryFn: async ({ client, signal }) => {
      const opened = await openedPart(client, id, "fragment");
      if (opened === undefined) return fetchFirstFragment(id, signal);
      return opened ? [opened] : [];
    },
    staleTime: ({ state }) => (state.data?.length ? Number.POSITIVE_INFINITY : 0),
  });
}

const FRAGMENT_KEPT_MS = 60_000;

/** One fragment of an item. A book has many, so those that nobody looks at are soon forgotten. */
export function fragmentQuery(id: string) {
  return queryOptions({
    queryKey: ["reader", "fragment", id],
    queryFn: ({ signal }) => fetchFragment(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: FRAGMENT_KEPT_MS,
    retry: 1,
  });
}

/** The contents and pages of an item; there is more of them once it has its text. */
export function outlineQuery(id: string, hasText: boolean) {
  return queryOptions({
    queryKey: ["reader", id, "outline", hasText],
    queryFn: async ({ client, signal }) => {
      const outline = await openedPart(client, id, "outline");
      if (!outline) return fetchOutline(id, signal);
      await keepOpenedChapter(client, id);
      return outline;
    },
    staleTime: hasText ? Number.POSITIVE_INFINITY : 0,
  });
}

/** The chapter that a book opens at came with its outline. */
async function keepOpenedChapter(client: QueryClient, id: string): Promise<void> {
  const chapter =
    (await openedPart(client, id, "fragment")) ??
    client.getQueryData(fragmentsQuery(id).queryKey)?.[0];
  if (chapter) client.setQueryData(fragmentQuery(chapter.id).queryKey, chapter);
}

const POSITION_PATIENCE_MS = 1_500;

/** Where the person was on their other devices, as the article opens; not worth a long wait. */
export function positionQuery(id: string) {
  return queryOptions({
    queryKey: ["reader", id, "position"],
    queryFn: async ({ client, signal }) => {
      const patience = AbortSignal.timeout(POSITION_PATIENCE_MS);
      // With the text comes the place; who has the text waits for the place alone.
      const opened = openedPart(client, id, "position");
      const position = await (isTextKnown(client, id) ? before(patience, opened) : opened);
      return position === undefined
        ? fetchPosition(id, AbortSignal.any([signal, patience]))
        : position;
    },
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

function before<T>(end: AbortSignal, coming: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    end.addEventListener("abort", () => reject(end.reason), { once: true });
  });
  return Promise.race([coming, late]);
}

/** The person's highlights on an item; looked at again whenever the window comes back. */
export function highlightsQuery(id: string) {
  return queryOptions({
    queryKey: ["reader", id, "highlights"],
    queryFn: async ({ client, signal }) =>
      (await openedPart(client, id, "highlights")) ?? fetchMediaHighlights(id, signal),
    refetchOnWindowFocus: "always",
  });
}
