import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../../api/errors";
import { createToken, fetchTokens, revokeToken } from "../../api/tokens";
import type { ApiToken } from "../../api/types";

const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => fetchTokens(signal),
});

/** The person's API tokens. */
export function useTokens() {
  return useQuery(tokensQuery);
}

/** Creates a token. The secret stays in the mutation's result and is never cached. */
export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: createToken,
    gcTime: 0,
    onSuccess: ({ token }) => {
      client.setQueryData<ApiToken[]>(tokensQuery.queryKey, (old) => old && [token, ...old]);
      void client.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
  });
}

/** Revokes a token. One that is already gone counts as revoked. */
export function useRevokeToken(id: string, onRevoked: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await revokeToken(id);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
    onSuccess: () => {
      client.setQueryData<ApiToken[]>(tokensQuery.queryKey, (old) =>
        old?.filter((token) => token.id !== id),
      );
      void client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onRevoked();
    },
  });
}
