import { useSyncExternalStore } from "react";

// One timer for every time on the page. It runs only while some are shown and someone can see
// them; a person who comes back to the tab finds them right at once.
const TICK_MS = 60_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** The present moment, renewed every minute for as long as the component is shown. */
export function useNow(): Date {
  return new Date(useSyncExternalStore(subscribe, () => now));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) start();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}

function start(): void {
  document.addEventListener("visibilitychange", follow);
  follow();
}

function stop(): void {
  document.removeEventListener("visibilitychange", follow);
  clearInterval(timer);
}

function follow(): void {
  clearInterval(timer);
  if (document.hidden) return;
  tick();
  timer = setInterval(tick, TICK_MS);
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
