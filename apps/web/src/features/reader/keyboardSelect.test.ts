import { expect, it } from "vitest";
import { findWord, type Step } from "./keyboardSelect";

const TEXT = "One two, “three”.\n\nΤέσσερα πέντε\nsix’s end";

it.each<[Step, number, string | null]>([
  ["next-word", 0, "One"],
  ["next-word", 3, "two"],
  ["next-word", 7, "three"],
  ["next-word", TEXT.indexOf(".") + 1, "Τέσσερα"],
  ["next-word", TEXT.length, null],
  ["previous-word", TEXT.indexOf("three"), "two"],
  ["previous-word", 0, null],
  ["next-paragraph", 0, "Τέσσερα"],
  ["next-paragraph", TEXT.indexOf("six"), null],
  ["previous-paragraph", TEXT.indexOf("πέντε"), "Τέσσερα"],
  ["previous-paragraph", TEXT.indexOf("Τέσσερα"), "One"],
  ["previous-paragraph", TEXT.indexOf("six"), "Τέσσερα"],
  ["previous-paragraph", 0, null],
])("%s from %i is %s", (step, from, word) => {
  const found = findWord(TEXT, from, step);
  expect(found && TEXT.slice(found.start, found.end)).toBe(word);
});
