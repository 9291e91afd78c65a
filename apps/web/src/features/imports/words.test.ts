import { expect, it } from "vitest";
import {
  contentsWords,
  type ImportFacts,
  isMoving,
  reasonsByCount,
  results,
  standingOf,
  taken,
} from "./words";

const facts = (
  state: ImportFacts["state"],
  counts: Partial<ImportFacts["counts"]> = {},
  unfinished = false,
): ImportFacts => ({
  state,
  unfinished,
  counts: {
    items: 10,
    highlights: 0,
    skipped: 0,
    items_done: 0,
    items_failed: 0,
    items_waiting: 0,
    highlights_placed: 0,
    highlights_waiting: 0,
    highlights_not_found: 0,
    ...counts,
  },
});

it.each([
  ["preview", facts("preview"), false],
  ["running", facts("running", { items_waiting: 3 }, true), true],
  ["stopped", facts("stopped", { items_waiting: 3 }), false],
  ["fetching", facts("done", { items_waiting: 1 }), true],
  ["done", facts("done"), false],
  ["undoing", facts("undone", {}, true), true],
  ["undone", facts("undone", { items_waiting: 1 }), false],
])("tells that it is %s", (standing, one, moving) => {
  expect(standingOf(one)).toBe(standing);
  expect(isMoving(one)).toBe(moving);
});

it("never shows more lines than there are", () => {
  expect(taken(facts("running", { items_done: 4, items_failed: 2 }))).toEqual({ done: 6, all: 10 });
  // A page that fails later counts as done and as failed.
  expect(taken(facts("done", { items_done: 10, items_failed: 2 }))).toEqual({ done: 10, all: 10 });
});

it("says what is in the file", () => {
  expect(contentsWords(facts("preview", { items: 1 }))).toBe("1 item");
  expect(contentsWords(facts("preview", { items: 2000, highlights: 1 }))).toBe(
    "2,000 items and 1 highlight",
  );
});

it("names only results that there are, in the right number", () => {
  expect(results(facts("running"))).toEqual([]);
  const found = results(facts("done", { items_done: 1, highlights_not_found: 2 }));
  expect(found.map(({ count }) => count)).toEqual([1, 2]);
  expect(found[0]?.words).toBe("item in your library");
});

it("puts the most frequent reason first", () => {
  const reasons = { "No address": 2, "Not a web address": 7, "A folder": 2 };
  expect(reasonsByCount(reasons)).toEqual([
    ["Not a web address", 7],
    ["A folder", 2],
    ["No address", 2],
  ]);
});
