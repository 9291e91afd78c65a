import type { PageLayout } from "./pageLayout";

/** So many windows above and below are drawn ahead, and so many kept. */
const AHEAD = 1;
const KEPT = 2;

export interface DrawPlan {
  /** The pages in the window. */
  readonly visible: ReadonlySet<number>;
  /** The pages to have, the nearest first. */
  readonly nearest: readonly number[];
  /** Those that may stay when they are there already. */
  readonly kept: ReadonlySet<number>;
}

/** Which pages are worth having when the window shows the pages from `top` on. */
export function planOf(layout: PageLayout, top: number, height: number): DrawPlan {
  const between = (from: number, to: number) => {
    const first = layout.pageAt(from);
    const last = layout.pageAt(to);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  };
  const middle = top + height / 2;
  const far = (index: number) => {
    const { top: start, height: long } = layout.rect(index);
    return Math.max(0, start - middle, middle - start - long);
  };
  const nearest = between(top - AHEAD * height, top + (1 + AHEAD) * height);
  return {
    visible: new Set(between(top, top + height)),
    nearest: nearest.sort((a, b) => far(a) - far(b)),
    kept: new Set(between(top - KEPT * height, top + (1 + KEPT) * height)),
  };
}

/** How many pixels pictures may have: of one page, and of all of them. */
export function canvasBudget(): { page: number; total: number } {
  const isSmall = window.matchMedia("(pointer: coarse)").matches;
  return isSmall ? { page: 5 << 20, total: 16 << 20 } : { page: 1 << 24, total: 48 << 20 };
}
