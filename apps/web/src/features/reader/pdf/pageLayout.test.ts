import { describe, expect, it } from "vitest";
import { planOf } from "./drawPlan";
import { GAP, MAX_ZOOM, PageLayout } from "./pageLayout";

const LETTER = { width: 612, height: 792 };
const ROOM = { width: 306, height: 396 };

const layoutOf = (count: number) => new PageLayout(count, LETTER, ROOM, "width");

describe("PageLayout", () => {
  it("takes every page for as large as the first until it is known", () => {
    const layout = layoutOf(3);
    expect(layout.rect(2)).toEqual({ top: 2 * (396 + GAP), width: 306, height: 396, scale: 0.5 });
    expect(layout.height).toBe(3 * 396 + 2 * GAP);
  });

  it("moves the pages below one that turns out to be larger, and none above", () => {
    const layout = layoutOf(3);
    expect(layout.setSize(1, LETTER)).toBe(false);
    expect(layout.setSize(1, { width: 612, height: 1584 })).toBe(true);
    expect(layout.rect(0).top).toBe(0);
    expect(layout.rect(1).top).toBe(396 + GAP);
    expect(layout.rect(2).top).toBe(396 + GAP + 792 + GAP);
  });

  it("makes wide pages fit, and leaves small ones small", () => {
    const layout = layoutOf(3);
    layout.setSize(1, { width: 1224, height: 612 });
    layout.setSize(2, { width: 306, height: 396 });
    expect(layout.rect(1)).toMatchObject({ width: 306, height: 153 });
    expect(layout.rect(2)).toMatchObject({ width: 153, height: 198 });
    expect(layout.width).toBe(306);
  });

  it("shows whole pages, and keeps a chosen size within bounds", () => {
    const layout = new PageLayout(2, LETTER, { width: 900, height: 396 }, "page");
    expect(layout.rect(0).height).toBe(396);
    layout.zoom = 100;
    expect(layout.factor).toBeCloseTo(MAX_ZOOM);
    layout.zoom = 1;
    expect(layout.rect(0).width).toBeCloseTo(816);
  });

  it("finds the page at any height of 5,000", () => {
    const layout = layoutOf(5_000);
    for (const index of [0, 1, 2_500, 4_999]) {
      const { top, height } = layout.rect(index);
      expect(layout.pageAt(top)).toBe(index);
      expect(layout.pageAt(top + height)).toBe(index);
    }
    expect(layout.pageAt(-50)).toBe(0);
    expect(layout.pageAt(Number.MAX_SAFE_INTEGER)).toBe(4_999);
  });
});

describe("planOf", () => {
  it("wants the pages near the window, the nearest first, and few of them", () => {
    const layout = layoutOf(5_000);
    const { top } = layout.rect(1_000);
    const { visible, nearest, kept } = planOf(layout, top, 400);
    expect([...visible]).toEqual([1_000]);
    expect(nearest[0]).toBe(1_000);
    expect([...nearest].sort((a, b) => a - b)).toEqual([999, 1_000, 1_001]);
    expect(kept.size).toBeLessThanOrEqual(6);
    for (const index of nearest) expect(kept.has(index)).toBe(true);
  });
});
