import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Media } from "../../api/types";
import { putImport } from "../../shared/importCache";
import { applyMediaEvent, findItem, type MediaEvent, refreshItems } from "../../shared/itemCache";
import { announce } from "../../ui/announce";
import { showToast } from "../../ui/toasts";
import { itemState, shownTitle, stateWords } from "./itemWords";
import { followMediaEvents } from "./mediaEvents";
import { isSaving, wasSavedHere } from "./saves";

// A burst of changes, such as a hundred pages saved at once, is one reload.
const REFRESH_AFTER_MS = 300;

/** Keeps every list and item as the server has it, without anyone reloading. */
export function useLiveItems(): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refreshSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        // The list would show an item beside the row that still says it is being saved.
        if (isSaving()) refreshSoon();
        else refreshItems(client);
      }, REFRESH_AFTER_MS);
    };
    const stop = followMediaEvents({
      onFresh: () => refreshItems(client),
      onMedia: (event) => {
        tell(findItem(client, event.media_id), event);
        if (applyMediaEvent(client, event)) refreshSoon();
      },
      onRemoved: refreshSoon,
      onImport: (changed) => {
        putImport(client, changed);
        refreshSoon();
      },
      // The session query knows whether the server is away or the person is signed out.
      onLost: () => checkSession(client),
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client]);
}

function checkSession(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ["session"] });
}

/** Two saves of one page are dated by the first: an older date means that it was there. */
function hadItBefore(saved: Media | undefined, kept: Media): boolean {
  return saved !== undefined && Date.parse(kept.saved_at) < Date.parse(saved.saved_at);
}

/** Says aloud what became of an item, and shows when it was one that was there before. */
function tell(before: Media | undefined, { media_id, media }: MediaEvent): void {
  const title = `“${shownTitle(media)}”`;
  if (media_id !== media.id) {
    if (wasSavedHere(media_id) && hadItBefore(before, media)) {
      showToast(`${title} is already in your library.`);
    }
    return;
  }
  const state = itemState(media);
  if (!before || itemState(before) === state) return;
  if (state === "ready") announce(`${title} is ready.`);
  if (state === "failed") announce(`${title}: ${stateWords(media)}`);
}
