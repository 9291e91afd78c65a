import { expect, it } from "vitest";
import { saveSummary } from "./saveWords";

const NONE = { saved: 0, known: 0, refused: 0 };

it.each([
  [{ ...NONE, saved: 1 }, [], "Saved."],
  [{ ...NONE, saved: 3 }, [], "Saved 3 addresses."],
  [
    { saved: 1, known: 1, refused: 2 },
    [],
    "Saved. One was already in your library. 2 could not be saved.",
  ],
  [NONE, ["hello"], "Not a web address: “hello”."],
  [
    { ...NONE, saved: 1 },
    ["a", "b", "c", "d", "e"],
    "Saved. Not a web address: “a”, “b”, “c” and 2 more.",
  ],
  [NONE, ["x".repeat(50)], `Not a web address: “${"x".repeat(39)}…”.`],
])("sums up %j and %j", (counts, rejected, words) => {
  expect(saveSummary(counts, { rejected, leftOut: 0 })).toBe(words);
});

it("says when there were too many", () => {
  expect(saveSummary({ ...NONE, saved: 100 }, { rejected: [], leftOut: 4 })).toMatch(/4 more/);
});
