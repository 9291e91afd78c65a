import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isSessionEnd, isWorthRetrying } from "../api/errors";
import { expireSession } from "../shared/session";

/** The cache of everything the server told us. Any 401 in it ends the session, in one place. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isSessionEnd(error)) expireSession(client);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // A Nexus on this machine answers without internet, so being offline stops nothing.
        networkMode: "always",
        retry: (failures, error) => failures < 2 && isWorthRetrying(error),
        retryDelay: (failures) => 500 * 2 ** failures,
      },
      mutations: { networkMode: "always" },
    },
  });
  return client;
}
