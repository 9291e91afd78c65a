import { useSyncExternalStore } from "react";
import { createStore } from "../../ui/store";

// Which items of the list on screen are meant: those ticked, or else the one with focus. There is
// only ever one such list; it empties the selection when it goes.

export interface Selection {
  /** The item that has focus, or had it last. */
  focused: string | null;
  /** The ticked items. */
  selected: ReadonlySet<string>;
  /** Where a range begins: the item that was ticked or unticked last. */
  from: string | null;
  /** Ticking is offered beside every row, for those who cannot point at one. */
  choosing: boolean;
}

const NOTHING: Selection = { focused: null, selected: new Set(), from: null, choosing: false };
const store = createStore<Selection>(NOTHING);

export const currentSelection = store.get;
export const onSelectionChange = store.subscribe;

/** The selection, followed. */
export function useSelection(): Selection {
  return useSyncExternalStore(onSelectionChange, currentSelection);
}

/** What an action applies to: the ticked items, or else the one with focus. */
export function targets({ selected, focused }: Selection = store.get()): string[] {
  if (selected.size > 0) return [...selected];
  return focused === null ? [] : [focused];
}

export function noteFocus(id: string | null): void {
  store.set((now) => (now.focused === id ? now : { ...now, focused: id }));
}

/** Ticks or unticks one item. */
export function toggleSelected(id: string): void {
  store.set((now) => {
    const selected = new Set(now.selected);
    if (!selected.delete(id)) selected.add(id);
    return { ...now, selected, from: id };
  });
}

/** Ticks everything from the item ticked last to this one, in the order of the list. */
export function selectTo(id: string, order: readonly string[]): void {
  store.set((now) => {
    const to = order.indexOf(id);
    const from = now.from === null ? to : order.indexOf(now.from);
    const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
    return { ...now, selected: new Set([...now.selected, ...order.slice(first, last + 1)]) };
  });
}

export function selectAll(ids: readonly string[]): void {
  store.set((now) => ({ ...now, selected: new Set(ids) }));
}

/** Unticks everything. */
export function clearSelection(): void {
  store.set((now) => ({ ...NOTHING, focused: now.focused }));
}

/** Offers to tick, beside every row. */
export function startChoosing(): void {
  store.set((now) => ({ ...now, choosing: true }));
}

/** Forgets what has left the list: nobody acts on what they cannot see. */
export function keepSelected(isListed: (id: string) => boolean): void {
  store.set((now) => {
    const selected = [...now.selected].filter(isListed);
    return selected.length === now.selected.size ? now : { ...now, selected: new Set(selected) };
  });
}

/** The list is gone. */
export function forgetSelection(): void {
  store.set(() => NOTHING);
}
