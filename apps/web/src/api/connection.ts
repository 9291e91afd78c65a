// Whether the server answered last time. `navigator.onLine` cannot tell: a laptop without
// internet still reaches a Nexus on the same machine, and the other way round.
let reachable = true;
const listeners = new Set<() => void>();

/** Called by the client after every request, answered or not. */
export function reportReachable(value: boolean): void {
  if (value === reachable) return;
  reachable = value;
  for (const listener of listeners) listener();
}

/** The last known state, for useSyncExternalStore. */
export function isReachable(): boolean {
  return reachable;
}

/** Calls back on each change; returns the function that stops it. */
export function onReachableChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
