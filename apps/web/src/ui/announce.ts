import { createStore } from "./store";

export interface Announcement {
  id: number;
  text: string;
}

// Long enough for a screen reader to pick it up, short enough not to be found by browsing.
const KEPT_MS = 8_000;

const store = createStore<readonly Announcement[]>([]);
let nextId = 1;

/** What is to be said now, for useSyncExternalStore. */
export const currentAnnouncements = store.get;
export const onAnnouncementsChange = store.subscribe;

/** Says something to screen readers without showing it. */
export function announce(text: string): void {
  const id = nextId++;
  store.set((all) => [...all, { id, text }]);
  setTimeout(() => store.set((all) => all.filter((one) => one.id !== id)), KEPT_MS);
}
