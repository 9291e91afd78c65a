import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../../api/errors";
import { errorWords } from "../../api/errorWords";
import { endOtherSessions, endSession, fetchSessions } from "../../api/sessions";
import type { UserSession } from "../../api/types";
import { showToast } from "../../ui/toasts";

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => fetchSessions(signal),
});

/** Where the person is signed in. */
export function useSessions() {
  return useQuery(sessionsQuery);
}

/** Signs out one other browser, or all of them. One that is signed out already counts as ended. */
export function useEndSession(session: UserSession | "others") {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      if (session === "others") return endOtherSessions();
      try {
        await endSession(session.id);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
    onSuccess: () => {
      showToast(
        session === "others" ? "All other devices were signed out." : "That device was signed out.",
      );
      return client.invalidateQueries(sessionsQuery);
    },
    onError: (error) => showToast(`Could not sign out: ${errorWords(error)}`, "error"),
  });
}
