import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { MediaQuery } from "../../api/media";
import type { Library, ListedMedia } from "../../api/types";
import type { ListData } from "../../shared/itemPages";
import type { LeftList } from "../../shared/places";
import { cx } from "../../ui/cx";
import { ItemRow, itemHref } from "./ItemRow";
import { BlankRow } from "./ItemSkeleton";
import styles from "./Items.module.css";
import { SaveRow } from "./SaveRow";
import type { Save } from "./saves";
import {
  forgetSelection,
  keepSelected,
  noteFocus,
  selectTo,
  toggleSelected,
  useSelection,
} from "./selection";
import type { RowRange } from "./useItemList";
import { loadedIds, useListKeys } from "./useListKeys";
import { useListPlace } from "./useListPlace";
import { useListWindow } from "./useListWindow";
import { usePrinting } from "./usePrinting";

interface ItemListProps {
  query: MediaQuery;
  data: ListData;
  /** Null where a row is not loaded. */
  items: readonly (ListedMedia | null)[];
  saves: readonly Save[];
  library: Library | undefined;
  label: string;
  kept: LeftList | undefined;
  onRange: (range: RowRange) => void;
}

/** Saved items, one row each, of which only those in view are drawn; what is being saved is first. */
export function ItemList(props: ItemListProps) {
  const { data, items, saves, library, label } = props;
  const { list, keys, rows, scrollMargin, onKeyDown } = useList(props);
  const { selected, choosing } = useSelection();
  const printing = usePrinting();

  const setSize = data.next === null ? keys.length : -1;
  const row = (index: number, top?: number) => {
    const place = { measure: rows.measureElement, index, top, setSize };
    const save = saves[index];
    if (save) return <SaveRow key={keys[index]} save={save} {...place} />;
    const media = items[index - saves.length];
    if (!media) return <BlankRow key={keys[index]} {...place} />;
    return <ItemRow key={media.id} media={media} library={library} {...place} />;
  };
  return (
    <ul
      ref={list}
      className={cx(styles.list, (choosing || selected.size > 0) && styles.choosing)}
      aria-label={label}
      style={printing ? undefined : { height: rows.getTotalSize() }}
      onKeyDown={onKeyDown}
      onFocus={(event) => noteFocus(rowKeyOf(event.target))}
      onClick={(event) => onTick(event, items)}
    >
      {printing
        ? keys.slice(0, printing).map((_, index) => row(index))
        : rows.getVirtualItems().map(({ index, start }) => row(index, start - scrollMargin))}
    </ul>
  );
}

/** What a list does besides being drawn: its window, its place, its keys and what is ticked. */
function useList({ query, data, items, saves, kept, onRange }: ItemListProps) {
  const list = useRef<HTMLUListElement>(null);
  const keys = useMemo(() => rowKeys(saves, items), [saves, items]);
  const { focused } = useSelection();
  const at = useMemo(() => (focused === null ? -1 : keys.indexOf(focused)), [keys, focused]);
  const { rows, scrollMargin } = useListWindow({ list, keys, focused: at, kept });
  const focusRow = useRowFocus(list);
  const moveTo = useCallback(
    (index: number) => {
      // The top of the list is the top of the page.
      if (index === 0) window.scrollTo({ top: 0, behavior: "instant" });
      else rows.scrollToIndex(index, { align: "auto" });
      focusRow(`[data-index="${index}"]`);
    },
    [rows, focusRow],
  );
  const rowOf = useCallback(
    (address: string | undefined) =>
      address && items.find((item) => item && itemHref(item) === address)?.id,
    [items],
  );
  useListPlace({ query, data, rows, keys, kept, scrollMargin, focusRow, rowOf });
  useListSelection(items);
  useNextFocus(list, keys, at, focusRow);
  const onKeyDown = useListKeys({ items, first: saves.length, at, moveTo });
  // Not what is drawn: a row that has focus is, wherever it stands.
  const { startIndex = 0, endIndex = 0 } = rows.range ?? {};
  const [first, last] = [startIndex - saves.length, endIndex - saves.length];
  useEffect(() => onRange({ first, last }), [onRange, first, last]);
  return { list, keys, rows, scrollMargin, onKeyDown };
}

function rowKeys(saves: readonly Save[], items: ItemListProps["items"]): string[] {
  const saving = saves.map(({ key }) => `save ${key}`);
  return [...saving, ...items.map((item, at) => item?.id ?? `row ${at}`)];
}

/** Which row an element is in; null for one that holds no item. */
function rowKeyOf(element: Element): string | null {
  return element.closest<HTMLElement>("[data-row]")?.dataset.row ?? null;
}

/** A click on the box of a row ticks it; with Shift, also what lies between it and the last one. */
function onTick(event: React.MouseEvent, items: ItemListProps["items"]): void {
  if (!(event.target instanceof HTMLInputElement) || event.target.type !== "checkbox") return;
  const id = rowKeyOf(event.target);
  if (id === null) return;
  if (event.shiftKey) selectTo(id, loadedIds(items));
  else toggleSelected(id);
}

/** Puts focus on the link of the row that a selector finds: now, or as soon as it is drawn. */
function useRowFocus(list: React.RefObject<HTMLElement | null>): (row: string) => void {
  const wanted = useRef<string | null>(null);
  const attempt = useCallback(() => {
    const row = wanted.current === null ? null : list.current?.querySelector(wanted.current);
    const link = row?.querySelector<HTMLElement>("[data-item-link]");
    if (!link) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  }, [list]);
  useLayoutEffect(attempt);
  return useCallback(
    (row: string) => {
      wanted.current = row;
      attempt();
    },
    [attempt],
  );
}

/** When the row with focus goes, the one that takes its place has focus. */
function useNextFocus(
  list: React.RefObject<HTMLElement | null>,
  keys: readonly string[],
  at: number,
  focusRow: (row: string) => void,
): void {
  const before = useRef(-1);
  useLayoutEffect(() => {
    const gone = before.current >= 0 && at < 0;
    const next = Math.min(before.current, keys.length - 1);
    before.current = at;
    const key = keys[next];
    if (!gone || key === undefined) return;
    noteFocus(key);
    // Focus that has moved on to something else stays there.
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (lost && list.current) focusRow(`[data-index="${next}"]`);
  }, [list, keys, at, focusRow]);
}

/** What is ticked is always something in this list. */
function useListSelection(items: readonly (ListedMedia | null)[]): void {
  useEffect(() => forgetSelection, []);
  useEffect(() => {
    const loaded = items.every((item) => item !== null);
    const ids = new Set(items.map((item) => item?.id));
    if (loaded) keepSelected((id) => ids.has(id));
  }, [items]);
}
