import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { isReachable, onReachableChange } from "../api/connection";

/** Whether the server answers. When it does again, whatever failed meanwhile is fetched anew. */
export function useReachable(): boolean {
  const reachable = useSyncExternalStore(onReachableChange, isReachable);
  const client = useQueryClient();
  useEffect(() => {
    if (!reachable) return;
    void client.refetchQueries({
      type: "active",
      predicate: (query) => query.state.status === "error" || query.isStale(),
    });
  }, [client, reachable]);
  return reachable;
}
