import { expect, it } from "vitest";
import { pageNamed } from "./pageNamed";

it.each([
  ["ii", 1],
  [" II ", 1],
  ["1", 2],
  ["4", 3],
  ["a-1", 4],
  ["3", 2],
  ["9", null],
  ["0", null],
  ["", null],
])("finds page %j, by its label before its number", (typed, index) => {
  expect(pageNamed(["i", "ii", "1", "4", "A-1"], typed)).toBe(index);
});
