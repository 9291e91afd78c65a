import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { errorWords } from "../../api/errorWords";
import { deleteUnplaced, fetchUnplaced, restoreUnplaced, type Unplaced } from "../../api/unplaced";
import { offerUndo } from "../../shared/undo";
import { showToast } from "../../ui/toasts";

// What waits is placed by the server, a moment after the text is there.
const WAITING_MS = 5_000;

export function unplacedQuery(mediaId: string) {
  return queryOptions({
    queryKey: ["unplaced", mediaId],
    queryFn: ({ signal }) => fetchUnplaced(mediaId, signal),
    refetchOnMount: "always",
    refetchInterval: ({ state }) =>
      state.data?.some(({ quote, state: now }) => quote !== "" && now === "waiting")
        ? WAITING_MS
        : false,
  });
}

const NONE: readonly Unplaced[] = [];

/** What has no place in the text of an item; nothing while that is not known. */
export function useUnplaced(mediaId: string): readonly Unplaced[] {
  return useQuery(unplacedQuery(mediaId)).data ?? NONE;
}

/** Takes one out of the list that is shown; returns how to put it back where it was. */
export function useTakeOut(mediaId: string) {
  const client = useQueryClient();
  const { queryKey } = unplacedQuery(mediaId);
  return (one: Unplaced) => {
    const before = client.getQueryData(queryKey);
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, (list) => list?.filter(({ id }) => id !== one.id));
    return () => {
      client.setQueryData(queryKey, before);
      void client.invalidateQueries({ queryKey });
    };
  };
}

/** Deletes one, and offers to undo it. */
export function useDelete(mediaId: string) {
  const takeOut = useTakeOut(mediaId);
  return async (one: Unplaced) => {
    const putBack = takeOut(one);
    const gone = deleteUnplaced(one.id);
    const withdraw = offerUndo(one.quote ? "Highlight deleted." : "Note deleted.", () => {
      void gone
        .then(() => restoreUnplaced(one.id))
        .catch((error) => showToast(`Not restored. ${errorWords(error)}`, "error"))
        .finally(putBack);
    });
    try {
      await gone;
    } catch (error) {
      withdraw();
      putBack();
      showToast(`Not deleted. ${errorWords(error)}`, "error");
    }
  };
}
