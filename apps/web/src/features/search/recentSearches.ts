import { useCallback, useSyncExternalStore } from "react";
import { keep, readKept } from "../../ui/localStore";

const MAX_KEPT = 8;
const MAX_LENGTH = 200;
const NONE: readonly string[] = [];

const listeners = new Set<() => void>();
let cached: { key: string; text: string; value: readonly string[] } | null = null;

const keyOf = (userId: string) => `nexus.searches.${userId}`;

/** What a person searched for on this device, the last first. */
export function readRecent(userId: string): readonly string[] {
  const key = keyOf(userId);
  const kept = readKept(key);
  const text = JSON.stringify(kept);
  // The same list for the same searches: React asks often.
  if (cached?.key !== key || cached.text !== text) {
    const value = Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : NONE;
    cached = { key, text, value: value.slice(0, MAX_KEPT) };
  }
  return cached.value;
}

/** Remembers a search; one that was there already moves to the front. */
export function addRecent(userId: string, query: string): void {
  const words = query.trim().replace(/\s+/g, " ");
  if (!words || words.length > MAX_LENGTH) return;
  write(userId, [words, ...without(userId, words)].slice(0, MAX_KEPT));
}

export function removeRecent(userId: string, query: string): void {
  write(userId, without(userId, query));
}

function without(userId: string, query: string): string[] {
  return readRecent(userId).filter((one) => one.toLowerCase() !== query.toLowerCase());
}

function write(userId: string, searches: readonly string[]): void {
  keep(keyOf(userId), searches);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** What the person searched for on this device, the last first. */
export function useRecentSearches(userId: string): readonly string[] {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => readRecent(userId), [userId]),
  );
}
