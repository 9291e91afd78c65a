import { createStore } from "../ui/store";

/** Dialogs that can be opened from anywhere in the app. */
export type Panel = "add" | "keys" | "search";

const open = createStore<Panel | null>(null);

/** The open dialog, for useSyncExternalStore. */
export const currentPanel = open.get;
export const onPanelChange = open.subscribe;

export function openPanel(panel: Panel): void {
  open.set(() => panel);
}

export function closePanel(): void {
  open.set(() => null);
}
