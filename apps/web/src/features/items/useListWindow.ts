import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { LeftList } from "../../shared/places";

// Rows drawn beyond the window's edges, so that scrolling and the browser's own find see some more.
const OVERSCAN = 8;
const ROW_PX = 112;
const PHONE_ROW_PX = 136;
const PHONE_PX = 600;
// The bar at the top of phones covers this much of the window; base.css keeps the same distance.
const UNDER_BAR_PX = 72;

interface ListWindow {
  list: RefObject<HTMLElement | null>;
  keys: readonly string[];
  /** The row that stays drawn wherever one scrolls, because it has focus. */
  focused: number;
  kept: LeftList | undefined;
}

/** Which rows to draw and where; they keep their place on screen while others come and go. */
export function useListWindow({ list, keys, focused, kept }: ListWindow) {
  const scrollMargin = useTopOf(list);
  const estimateSize = useEstimate(kept);
  const steadyBelow = useSteadyBelow(scrollMargin);
  const rows = useWindowVirtualizer<HTMLLIElement>({
    count: keys.length,
    getItemKey: useCallback((index: number) => keys[index] ?? index, [keys]),
    estimateSize,
    scrollMargin,
    overscan: OVERSCAN,
    // Where the view before was scrolled to says nothing about this one.
    initialOffset: kept?.row ? kept.scroll : 0,
    scrollPaddingStart: UNDER_BAR_PX,
    scrollPaddingEnd: UNDER_BAR_PX,
    rangeExtractor: useCallback((range: Range) => withRow(range, focused), [focused]),
    // At its top, a list shows what is new; further down, the rows in view stay where they are.
    anchorTo: window.scrollY > scrollMargin ? "end" : "start",
    // Being at the end of what is loaded is no wish to stay at the end.
    scrollEndThreshold: -1,
  });
  useLayoutEffect(steadyBelow, [steadyBelow]);
  return { rows, scrollMargin };
}

function withRow(range: Range, row: number): number[] {
  const drawn = defaultRangeExtractor(range);
  if (row < 0 || row >= range.count || drawn.includes(row)) return drawn;
  return [...drawn, row].sort((a, b) => a - b);
}

/** The heights the rows had when one was here before; otherwise about what most have. */
function useEstimate(kept: LeftList | undefined): (index: number) => number {
  const [usual] = useState(() => (window.innerWidth < PHONE_PX ? PHONE_ROW_PX : ROW_PX));
  const [heights] = useState(() => (kept?.width === window.innerWidth ? kept.heights : []));
  return useCallback((index: number) => heights[index] || usual, [heights, usual]);
}

/** How far down the page the list begins. */
function useTopOf(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const box = list.current?.getBoundingClientRect();
      if (box) setTop(Math.round(box.top + window.scrollY));
    };
    const watch = new ResizeObserver(measure);
    watch.observe(document.body);
    measure();
    return () => watch.disconnect();
  }, [list]);
  return top;
}

/**
 * What appears above the list moves nobody who has scrolled past it.
 *
 * Call it before the rows are laid out, and what it returns afterwards: when rows come or go in the
 * same moment, they keep their place by themselves, wherever the list begins.
 */
function useSteadyBelow(top: number): () => void {
  const change = useRef({ top: 0, by: 0, scrolled: 0 });
  useLayoutEffect(() => {
    const before = change.current.top;
    change.current = { top, by: before > 0 ? top - before : 0, scrolled: window.scrollY };
  }, [top]);
  return useCallback(() => {
    const { by, scrolled } = change.current;
    const past = scrolled > top - by;
    if (past && window.scrollY === scrolled) window.scrollBy({ top: by, behavior: "instant" });
  }, [top]);
}
