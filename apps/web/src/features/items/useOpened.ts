import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { tellOpened } from "../../api/media";
import { patchItem } from "../../shared/itemCache";
import { whenVisible } from "../../ui/whenVisible";

/** Tells the server once that the person has opened an item; a tab they never look at has not. */
export function useOpened(mediaId: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (mediaId === null) return;
    const tell = async () => {
      const opened_at = new Date().toISOString();
      try {
        await tellOpened(mediaId);
        patchItem(client, mediaId, { opened_at });
      } catch {
        // It is told again by the place in the text, or when the item is next opened.
      }
    };
    return whenVisible(() => void tell());
  }, [client, mediaId]);
}
