import { expect, it } from "vitest";
import { ChapterHeights } from "./chapterHeights";

const LENGTHS = [1000, 0, 2000, 10_000];

it("expects as much as the text of a chapter would take", () => {
  const heights = new ChapterHeights(LENGTHS, 0.5);
  expect(heights.height(2) - heights.height(1)).toBe(1000);
  expect(heights.height(1)).toBeGreaterThan(0);
  expect(heights.between(0, 4)).toBe(LENGTHS.reduce((sum, _, i) => sum + heights.height(i), 0));
  expect(heights.between(1, 1)).toBe(0);
});

it("learns from chapters that were on the page, and keeps what it measured", () => {
  const heights = new ChapterHeights(LENGTHS, 0.5);
  const empty = heights.height(1);
  heights.measure(0, 2000 + empty);
  expect(heights.height(0)).toBe(2000 + empty);
  expect(heights.height(2)).toBe(4000 + empty);
  // A picture without text says nothing about text.
  heights.measure(1, 900);
  expect(heights.height(2)).toBe(4000 + empty);
  heights.forget();
  expect(heights.height(1)).toBe(empty);
  expect(heights.height(2)).toBe(4000 + empty);
});

it("finds the chapter at a height", () => {
  const heights = new ChapterHeights(LENGTHS, 1);
  heights.measure(0, 100);
  heights.measure(1, 100);
  heights.measure(2, 200);
  expect(heights.at(0, 0)).toEqual({ index: 0, share: 0 });
  expect(heights.at(0, 150)).toEqual({ index: 1, share: 0.5 });
  expect(heights.at(1, 150)).toEqual({ index: 2, share: 0.25 });
  expect(heights.at(0, 1e9)).toEqual({ index: 3, share: 1 });
  expect(heights.at(0, -50)).toEqual({ index: 0, share: 0 });
});
