import { expect, it } from "vitest";
import { ApiError } from "./errors";
import { errorWords } from "./errorWords";

const make = (code: string, message = "", retryAfter: number | null = null) =>
  new ApiError({ code, status: 400, message, retryAfter });

it("lets a known code decide over the server's message", () => {
  const words = errorWords(make("E_LIBRARY_NOT_FOUND", "Library 7 not found"));
  expect(words).toBe("This library is gone, or is no longer shared with you.");
});

it("falls back to the server's message for a code it does not know", () => {
  expect(errorWords(make("E_NEW", "The moon is full."))).toBe("The moon is full.");
});

it("never answers an empty text", () => {
  expect(errorWords(make("E_NEW"))).toMatch(/went wrong/);
  expect(errorWords(new TypeError("x is undefined"))).not.toContain("undefined");
});

it.each([
  [null, "Wait a little"],
  [0, "in 1 second."],
  [1, "in 1 second."],
  [45, "in 45 seconds."],
  [90, "in 90 seconds."],
  [91, "in 2 minutes."],
  [600, "in 10 minutes."],
])("says how long to wait: %s", (seconds, words) => {
  expect(errorWords(make("E_RATE_LIMITED", "", seconds))).toContain(words);
});
