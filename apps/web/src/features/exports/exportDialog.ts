import type { Media } from "../../api/types";
import { createStore } from "../../ui/store";

const items = createStore<readonly Media[] | null>(null);

/** The items that are asked about, for useSyncExternalStore; null while no dialog is open. */
export const itemsToExport = items.get;
export const onItemsToExport = items.subscribe;

/** Asks how some items are to be exported. */
export function openExport(chosen: readonly Media[]): void {
  if (chosen.length > 0) items.set(() => chosen);
}

export function closeExport(): void {
  items.set(() => null);
}
