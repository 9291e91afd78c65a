import { expect, it } from "vitest";
import { readingTime } from "./words";

it.each([
  ["a few words", "1 min read"],
  ["word ".repeat(2300), "10 min read"],
  ["字".repeat(900), "2 min read"],
])("estimates the time for %#", (text, words) => {
  expect(readingTime(text)).toBe(words);
});
