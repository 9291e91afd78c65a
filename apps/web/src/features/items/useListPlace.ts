import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { MediaQuery } from "../../api/media";
import type { ListData } from "../../shared/itemPages";
import {
  beforePageGoes,
  currentStep,
  keepView,
  type LeftList,
  leftView,
  type RowPlace,
} from "../../shared/places";
import { onceActed } from "../../ui/onceActed";
import { listName } from "./useItemList";

// Long enough for a page to load on a slow line; after that, jumping would only disturb.
const PATIENCE_MS = 10_000;

type Rows = Virtualizer<Window, HTMLLIElement>;

interface ListPlace {
  query: MediaQuery;
  data: ListData;
  rows: Rows;
  keys: readonly string[];
  kept: LeftList | undefined;
  /** Zero until it is known where on the page the list is. */
  scrollMargin: number;
  /** Puts focus on the row that a selector finds, as soon as it is drawn. */
  focusRow: (row: string) => void;
  /** The row that leads to an address. */
  rowOf: (address: string | undefined) => string | undefined;
}

/** Comes back to where the list was left, and remembers where it is left. */
export function useListPlace(place: ListPlace): void {
  useReturn(place);
  const latest = useRef(place);
  useLayoutEffect(() => {
    latest.current = place;
  });
  useLayoutEffect(() => {
    const { id } = currentStep();
    const keep = () => keepView({ list: leave(latest, leftView(id)?.opened) }, id);
    const stop = beforePageGoes(keep);
    return () => {
      stop();
      keep();
    };
  }, []);
}

function leave(latest: RefObject<ListPlace>, opened: string | undefined): LeftList {
  const { query, data, rows, keys, kept, rowOf } = latest.current;
  // What was not drawn since one came back is as high as it was before.
  const before = kept?.width === window.innerWidth ? kept.heights : [];
  const heights = keys.map((key, at) => rows.itemSizeCache.get(key) ?? before[at] ?? 0);
  return {
    name: listName(query),
    pages: data.pages.map(({ cursor, size }) => ({ cursor, size })),
    next: data.next,
    width: window.innerWidth,
    heights,
    scroll: window.scrollY,
    row: rowToReturnTo(rows, keys, rowOf(opened)),
  };
}

/** The row that was opened if it is in view, or else the first in view. */
function rowToReturnTo(
  rows: Rows,
  keys: readonly string[],
  opened: string | undefined,
): RowPlace | null {
  const top = window.scrollY;
  const inView = rows
    .getVirtualItems()
    .filter(({ start, end }) => end > top && start < top + window.innerHeight);
  const row = inView.find(({ key }) => key === opened) ?? inView[0];
  const key = row && keys[row.index];
  // At the top of the view, that top is the place: what is new should show.
  if (!row || !key || top === 0) return null;
  return { key, index: row.index, top: row.start - top };
}

/** Scrolls to the row of before; again once its page is loaded, unless somebody moved meanwhile. */
function useReturn({ rows, keys, kept, scrollMargin, focusRow, rowOf }: ListPlace): void {
  const waiting = useRef(kept?.row ?? null);
  useLayoutEffect(() => {
    const row = waiting.current;
    if (!row || scrollMargin === 0) return;
    const at = keys.indexOf(row.key);
    const start = rows.measurementsCache[at < 0 ? row.index : at]?.start;
    if (start !== undefined) window.scrollTo({ top: start - row.top, behavior: "instant" });
    if (at >= 0) waiting.current = null;
  }, [rows, keys, scrollMargin]);

  useEffect(() => {
    const stop = () => {
      waiting.current = null;
    };
    const timer = setTimeout(stop, PATIENCE_MS);
    const stopListening = onceActed(stop);
    return () => {
      clearTimeout(timer);
      stopListening();
    };
  }, []);

  const opened = useRef(kept && leftView(currentStep().id)?.opened);
  useLayoutEffect(() => {
    const key = rowOf(opened.current);
    if (!key) return;
    opened.current = undefined;
    focusRow(`[data-row="${CSS.escape(key)}"]`);
  }, [rowOf, focusRow]);
}
