import { expect, it } from "vitest";
import type { Media } from "../../api/types";
import { kindWords, shownTitle, siteName, stateWords } from "./mediaWords";

const media = (more: Partial<Media>): Media => ({
  id: "m1",
  kind: "web_article",
  title: null,
  requested_url: null,
  canonical_url: null,
  processing_status: "ready_for_reading",
  last_error_message: null,
  created_at: "2026-11-01T00:00:00Z",
  ...more,
});

it.each([
  ["https://www.example.org/a", "example.org"],
  ["https://blog.example.org", "blog.example.org"],
  ["not a url", null],
  [null, null],
])("names the site of %s", (canonical_url, site) => {
  expect(siteName(media({ canonical_url }))).toBe(site);
});

it("always has something to show as the title", () => {
  expect(shownTitle(media({ title: " On reading " }))).toBe("On reading");
  expect(shownTitle(media({ title: "  ", requested_url: "https://a.test/x" }))).toBe(
    "https://a.test/x",
  );
  expect(shownTitle(media({}))).toBe("Untitled");
});

it("tells the state only of what cannot be read yet", () => {
  expect(stateWords(media({ processing_status: "ready_for_reading" }))).toBeNull();
  expect(stateWords(media({ processing_status: "embedding" }))).toBeNull();
  expect(stateWords(media({ processing_status: "pending" }))).toBe("Waiting its turn");
  const failed = { processing_status: "failed", last_error_message: "The site answered 403." };
  expect(stateWords(media(failed))).toBe("The site answered 403.");
  expect(stateWords(media({ ...failed, last_error_message: null }))).toMatch(/could not/);
});

it("calls a kind it does not know an item", () => {
  expect(kindWords("pdf")).toBe("PDF");
  expect(kindWords("hologram")).toBe("Item");
});
