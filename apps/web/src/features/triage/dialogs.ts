import type { Media } from "../../api/types";
import { createStore } from "../../ui/store";

/** What is asked about some items. It stays open whatever becomes of the row it was opened from. */
export interface TriageDialog {
  kind: "tags" | "libraries" | "remove";
  items: readonly Media[];
}

const open = createStore<TriageDialog | null>(null);

/** The open dialog, for useSyncExternalStore. */
export const currentDialog = open.get;
export const onDialogChange = open.subscribe;

export function openDialog(kind: TriageDialog["kind"], items: readonly Media[]): void {
  if (items.length > 0) open.set(() => ({ kind, items }));
}

export function closeDialog(): void {
  open.set(() => null);
}
