import { describe, expect, it } from "vitest";
import { originalAddress, readingTime } from "./words";

it.each([
  ["a few words", "1 min read"],
  ["word ".repeat(2300), "10 min read"],
  ["字".repeat(900), "2 min read"],
])("estimates the time for %#", (text, words) => {
  expect(readingTime(text)).toBe(words);
});

describe("originalAddress", () => {
  const media = { canonical_url: null, canonical_source_url: null, requested_url: null };

  it("prefers the address to show", () => {
    const source = "https://a.example/x?y=1";
    const both = { ...media, canonical_source_url: source, requested_url: "https://b.example/" };
    expect(originalAddress(both)?.href).toBe(source);
  });

  it.each(["javascript:alert(1)", "nexus:welcome-1", "not an address", ""])(
    "never links to %j",
    (address) => {
      expect(originalAddress({ ...media, canonical_url: address })).toBeNull();
    },
  );
});
