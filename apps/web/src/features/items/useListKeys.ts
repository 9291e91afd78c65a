import { type KeyboardEvent, useEffect, useMemo } from "react";
import type { ListedMedia } from "../../api/types";
import { isDialogOpen, isEditable } from "../../shared/editable";
import { type Shortcut, useShortcuts } from "../../shared/shortcuts";
import { useStableHandlers } from "../../ui/useStableHandlers";
import {
  clearSelection,
  currentSelection,
  selectAll,
  selectTo,
  toggleSelected,
  useSelection,
} from "./selection";

interface ListKeys {
  items: readonly (ListedMedia | null)[];
  /** The row of the first item; what is being saved stands before it. */
  first: number;
  /** The row with focus, -1 for none. */
  at: number;
  moveTo: (row: number) => void;
}

/** Moving, opening and ticking by keys; returns those that hold while focus is in the list. */
export function useListKeys({ items, first, at, moveTo }: ListKeys) {
  const { selected, choosing } = useSelection();
  const keys = useStableHandlers({
    move: (step: 1 | -1) => {
      const next = at < 0 ? first : at + step;
      if (next >= first && next < first + items.length) moveTo(next);
    },
    extend: (step: 1 | -1) => {
      const here = items[at - first];
      const next = items[at - first + step];
      if (!here || !next) return;
      if (currentSelection().from === null) toggleSelected(here.id);
      selectTo(next.id, loadedIds(items));
      moveTo(at + step);
    },
    tick: () => {
      const id = items[at - first]?.id;
      if (id) toggleSelected(id);
    },
    all: () => selectAll(loadedIds(items)),
  });
  useShortcuts(useMemo(() => shortcuts(keys), [keys]));
  useShortcuts(selected.size > 0 || choosing ? CLEARING : NONE);
  useSelectAllKey(keys.all);

  return (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isEditable(event.target)) return;
    const run = {
      ArrowDown: () => (event.shiftKey ? keys.extend(1) : keys.move(1)),
      ArrowUp: () => (event.shiftKey ? keys.extend(-1) : keys.move(-1)),
      Home: () => moveTo(first),
      End: () => moveTo(first + items.length - 1),
    }[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };
}

/** The ids of a list in their order, as far as it is loaded. */
export function loadedIds(items: readonly (ListedMedia | null)[]): string[] {
  return items.flatMap((item) => (item ? [item.id] : []));
}

const NONE: Shortcut[] = [];
const CLEARING: Shortcut[] = [
  { keys: ["Escape"], label: "Clear the selection", group: "Lists", run: clearSelection },
];

type Keys = { move: Step; extend: Step; tick: () => void };
type Step = (step: 1 | -1) => void;

function shortcuts({ move, extend, tick }: Keys): Shortcut[] {
  const group = "Lists";
  return [
    { keys: ["j"], label: "Next item", group, run: () => move(1) },
    { keys: ["k"], label: "Previous item", group, run: () => move(-1) },
    { keys: ["x"], label: "Select or unselect", group, run: tick },
    { keys: ["J"], label: "Extend selection down", group, shown: "Shift J", run: () => extend(1) },
    { keys: ["K"], label: "Extend selection up", group, shown: "Shift K", run: () => extend(-1) },
  ];
}

/** Ctrl-A and Cmd-A tick all rows for those who are among them; elsewhere they are the browser's. */
function useSelectAllKey(all: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "a" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (event.defaultPrevented || isEditable(event.target) || isDialogOpen()) return;
      const amongRows = event.target instanceof Element && event.target.closest("[data-row]");
      if (!amongRows && currentSelection().selected.size === 0) return;
      event.preventDefault();
      all();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [all]);
}
