import { useMutation, useQueryClient } from "@tanstack/react-query";
import { signOut } from "../api/auth";
import { isSessionEnd } from "../api/errors";
import { errorWords } from "../api/errorWords";
import { showToast } from "../ui/toasts";
import { endSession } from "./session";

/** Signs out. If the server cannot be told, the person stays signed in and is told so. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: signOut,
    onSuccess: () => endSession(client),
    onError: (error) => {
      if (!isSessionEnd(error)) showToast(`You are still signed in. ${errorWords(error)}`, "error");
    },
  });
}
