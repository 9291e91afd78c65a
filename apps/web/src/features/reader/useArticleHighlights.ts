import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { isReachable, onReachableChange } from "../../api/connection";
import { isSessionEnd, isUnreachable } from "../../api/errors";
import { useUser } from "../../shared/session";
import { HighlightActions, HighlightWaiting } from "./data/highlightActions";
import type { OutboxSender } from "./data/outboxSender";
import { outboxSenderOf } from "./data/outboxSenderOf";
import { highlightsQuery } from "./data/queries";
import { placeIn, type ReaderHighlight } from "./data/readerHighlight";
import { isRefusal } from "./data/refusals";
import { NoteBook } from "./notes/noteBook";
import type { TextSpace } from "./text/textSpace";

/** The highlights of the article, how to change them, and the notes being written on them. */
export function useArticleHighlights(mediaId: string, space: TextSpace | null) {
  const client = useQueryClient();
  const user = useUser();
  const sender = outboxSenderOf(client, user.id);
  const waiting = useSyncExternalStore(sender.subscribe, sender.snapshot);
  const actions = useMemo(
    () => new HighlightActions(client, mediaId, sender),
    [client, mediaId, sender],
  );
  // Read in one render with the outbox: what moves from there to the list is never shown twice, nor
  // missing for a moment.
  const query = useQuery(highlightsQuery(mediaId));
  const { data, refetch } = query;
  useEffect(() => {
    // Windows side by side are both visible all the time: only focus tells which one is used.
    const look = () => void refetch();
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, [refetch]);
  const highlights = useMemo(
    () => placeIn(space, actions.view(data ?? [], waiting)),
    [actions, data, waiting, space],
  );
  const notes = useNotes(sender, actions, highlights);
  return { actions, notes, query, highlights };
}

/** The notes of the article. They follow its highlights, and are saved when the page is left. */
function useNotes(
  sender: OutboxSender,
  actions: HighlightActions,
  highlights: readonly ReaderHighlight[],
): NoteBook {
  const notes = useMemo(
    () =>
      new NoteBook({
        drafts: sender.drafts,
        send: actions.saveNote,
        isFinal: (error) => isRefusal(error) || isSessionEnd(error),
        isWaiting: (error) => error instanceof HighlightWaiting || isUnreachable(error),
      }),
    [actions, sender],
  );
  useEffect(() => actions.onAdopt((id) => notes.drop(id)), [actions, notes]);
  useEffect(() => notes.follow(highlights), [notes, highlights]);
  useEffect(() => onReachableChange(() => isReachable() && notes.flush()), [notes]);
  useEffect(() => {
    const flush = () => notes.flush();
    document.addEventListener("visibilitychange", flush);
    window.addEventListener("pagehide", flush);
    return () => {
      notes.close();
      document.removeEventListener("visibilitychange", flush);
      window.removeEventListener("pagehide", flush);
    };
  }, [notes]);
  return notes;
}
