import { useEffect } from "react";
import { createStore } from "../ui/store";
import { isDialogOpen, isEditable } from "./editable";

// Any view may add its keys while it is shown. They are single keys, so they are silent while
// someone types, while a dialog is open, and when switched off in the keyboard help.

export interface Shortcut {
  /** Values of KeyboardEvent.key; any of them runs it. */
  keys: readonly string[];
  /** What it does, as the help says it. */
  label: string;
  /** The part of the help it stands in. */
  group: string;
  run: (event: KeyboardEvent) => void;
  /** How the help writes the keys, where it is not the keys themselves: "1–5". */
  shown?: string;
}

const KEY = "nexus.shortcuts";

/** What the key is called that makes a command of another. */
export const COMMAND = /Mac|iP(hone|ad|od)/.test(navigator.userAgent) ? "⌘" : "Ctrl";

const registered = createStore<readonly Shortcut[]>([]);

/** What can be pressed now, in the order it was added; for useSyncExternalStore. */
export const currentShortcuts = registered.get;
export const onShortcutsChange = registered.subscribe;

/** Adds shortcuts; of two for one key, the later one runs. Returns how to take them away. */
export function addShortcuts(shortcuts: readonly Shortcut[]): () => void {
  registered.set((all) => [...all, ...shortcuts]);
  return () => registered.set((all) => all.filter((one) => !shortcuts.includes(one)));
}

/** Adds shortcuts for as long as the component is shown. The list must be memoized. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => addShortcuts(shortcuts), [shortcuts]);
}

/** Are single keys wanted? People who use speech input, for one, may not want them. */
export function shortcutsOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

/** Switches single keys on or off, on this device. */
export function setShortcutsOn(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "off");
  } catch {
    // Without storage it stays as it is by default.
  }
}

/** Runs what a key press stands for. Listen with it once, on the document. */
export function runShortcut(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (isEditable(event.target) || isDialogOpen() || isInMenu(event.target)) return;
  // It closes what is open, and the browser does that by itself.
  if (event.key === "Escape" && document.querySelector(":popover-open")) return;
  const shortcut = registered.get().findLast((one) => one.keys.includes(event.key));
  if (!shortcut || !shortcutsOn()) return;
  event.preventDefault();
  shortcut.run(event);
}

function isInMenu(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="menu"]') !== null;
}
