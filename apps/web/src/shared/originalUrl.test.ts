import { expect, it } from "vitest";
import { testMedia } from "../testMedia";
import { originalUrl } from "./originalUrl";

it("links to the page an item came from, never to anything but the web", () => {
  const requested_url = "https://a.test/x";
  expect(originalUrl(testMedia({ requested_url, canonical_url: "https://a.test/y" }))).toBe(
    "https://a.test/y",
  );
  expect(originalUrl(testMedia({ requested_url }))).toBe(requested_url);
  expect(originalUrl(testMedia({ requested_url: "javascript:alert(1)" }))).toBeNull();
});

it("prefers the address to show over the one that was asked for", () => {
  const source = "https://a.example/x?y=1";
  const both = testMedia({ canonical_source_url: source, requested_url: "https://b.example/" });
  expect(originalUrl(both)).toBe(source);
});

it.each(["javascript:alert(1)", "nexus:welcome-1", "not an address", "https://", ""])(
  "never links to %j",
  (canonical_url) => {
    expect(originalUrl(testMedia({ canonical_url }))).toBeNull();
  },
);
