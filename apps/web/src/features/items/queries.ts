import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../../api/errors";
import { errorWords } from "../../api/errorWords";
import { addToLibrary, fetchHoldingLibraries, removeFromLibrary } from "../../api/libraries";
import { fetchFileUrl, fetchMedia, removeMedia, restoreMedia, retryMedia } from "../../api/media";
import type { Library, Media } from "../../api/types";
import {
  dropItem,
  holdersKey,
  itemKey,
  patchItem,
  refreshItemLists,
  refreshItems,
} from "../../shared/itemCache";
import { openedPart } from "../../shared/opening";
import { offerUndo } from "../../shared/undo";
import { showToast } from "../../ui/toasts";
import { shownTitle } from "./itemWords";

/** One item. */
export function itemQuery(id: string) {
  return queryOptions({
    queryKey: itemKey(id),
    queryFn: async ({ client, signal }): Promise<Media> =>
      (await openedPart(client, id, "media")) ?? fetchMedia(id, signal),
  });
}

/** Is the item not there, no longer, or never: an address that no item can have? */
export function isItemGone(error: unknown): boolean {
  return error instanceof ApiError && (error.code === "E_MEDIA_NOT_FOUND" || error.status === 400);
}

/** Tries a failed item again; it waits at once, and fails again visibly if the server refuses. */
export function useRetryItem(media: Media) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => retryMedia(media.id),
    onMutate: () =>
      patchItem(client, media.id, { processing_status: "pending", last_error_message: null }),
    onError: (error) => {
      patchItem(client, media.id, media);
      showToast(`Could not retry “${shownTitle(media)}”: ${errorWords(error)}`, "error");
      refreshItems(client);
    },
  });
}

/** Takes an item out of all the person's libraries. One that is gone already counts as removed. */
export function useRemoveItem(media: Media, onRemoved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await removeMedia(media.id);
      } catch (error) {
        if (!isItemGone(error)) throw error;
      }
    },
    onSuccess: () => {
      onRemoved();
      dropItem(client, media.id);
      // A list that was on its way meanwhile would bring the item back.
      refreshItemLists(client);
      offerUndo(`“${shownTitle(media)}” was removed.`, () => void putBack());
    },
  });

  async function putBack(): Promise<void> {
    try {
      await restoreMedia(media.id);
    } catch (error) {
      const reason = isItemGone(error) ? "It is too late to undo that." : errorWords(error);
      showToast(`“${shownTitle(media)}” was not restored. ${reason}`, "error");
    }
    refreshItems(client);
  }
}

/** Takes an item out of one library, at once; the message offers to put it back. */
export function useTakeOut(media: Media, library: Library | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      if (!library) return;
      dropItem(client, media.id, library.id);
      await removeFromLibrary(library.id, media.id);
    },
    onSuccess: () => {
      if (!library) return;
      offerUndo(`Removed from “${library.name}”.`, () => void putBack());
    },
    onError: (error) =>
      showToast(`Could not remove it from the library: ${errorWords(error)}`, "error"),
    onSettled: () => refreshItems(client),
  });

  async function putBack(): Promise<void> {
    try {
      if (library) await addToLibrary(library.id, media.id);
    } catch (error) {
      showToast(`Could not add it back: ${errorWords(error)}`, "error");
    }
    refreshItems(client);
  }
}

/** Which of the person's libraries hold an item, by their ids. */
export function useHoldingLibraries(mediaId: string) {
  return useQuery({
    queryKey: holdersKey(mediaId),
    queryFn: ({ signal }) => fetchHoldingLibraries(mediaId, signal),
  });
}

/** Puts an item into a library. */
export function useAddToLibrary(mediaId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (libraryId: string) => addToLibrary(libraryId, mediaId),
    onSuccess: (_, libraryId) => {
      client.setQueryData<string[]>(holdersKey(mediaId), (ids = []) => [...ids, libraryId]);
      refreshItems(client);
    },
  });
}

/** Fetches the original file; the browser saves it, as the server marks it as an attachment. */
export function useDownload(media: Media) {
  return useMutation({
    mutationFn: () => fetchFileUrl(media.id),
    onSuccess: (url) => {
      const link = document.createElement("a");
      link.href = url;
      link.download = "";
      link.click();
    },
    onError: (error) => showToast(`Download failed: ${errorWords(error)}`, "error"),
  });
}
