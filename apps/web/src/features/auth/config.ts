import { queryOptions, useQuery } from "@tanstack/react-query";
import { fetchAuthConfig } from "../../api/auth";

const authConfigQuery = queryOptions({
  queryKey: ["auth-config"],
  queryFn: ({ signal }) => fetchAuthConfig(signal),
  staleTime: 0,
  // Sign-in works without it, so do not keep people waiting for retries.
  retry: false,
});

/** Whether sign-up is open and whether this would be the first account. */
export function useAuthConfig() {
  return useQuery(authConfigQuery);
}
