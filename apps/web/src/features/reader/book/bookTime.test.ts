import { expect, it } from "vitest";
import { chapterAround, timeWords } from "./bookTime";

it.each([
  [0.2, "under a minute"],
  [1, "1 min"],
  [59.4, "59 min"],
  [59.6, "1 h"],
  [200, "3 h 20 min"],
])("says %d minutes in words", (minutes, words) => {
  expect(timeWords(minutes)).toBe(words);
});

it("finds the chapter around an offset", () => {
  const entry = (offset: number, depth: number) => ({ text: "", offset, depth });
  const entries = [entry(10, 0), entry(10, 1), entry(20, 1), entry(25, 2), entry(40, 0)];
  expect(chapterAround(entries, 5, 50)).toEqual({ start: 0, end: 10 });
  expect(chapterAround(entries, 10, 50)).toEqual({ start: 10, end: 20 });
  expect(chapterAround(entries, 30, 50)).toEqual({ start: 20, end: 40 });
  expect(chapterAround(entries, 45, 50)).toEqual({ start: 40, end: 50 });
  expect(chapterAround([], 45, 50)).toEqual({ start: 0, end: 50 });
});
