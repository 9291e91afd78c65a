import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { isReachable, onReachableChange } from "../api/connection";

/** Whether the server answers. When it does again, what failed meanwhile is fetched again. */
export function useReachable(): boolean {
  const reachable = useSyncExternalStore(onReachableChange, isReachable);
  const client = useQueryClient();
  const wasReachable = useRef(reachable);
  useEffect(() => {
    const isBack = reachable && !wasReachable.current;
    wasReachable.current = reachable;
    if (!isBack) return;
    void client.refetchQueries({
      type: "active",
      predicate: (query) => query.state.status === "error" || query.isStale(),
    });
  }, [client, reachable]);
  return reachable;
}
