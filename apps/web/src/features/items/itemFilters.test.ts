import { expect, it } from "vitest";
import { readyMedia, testMedia } from "../../testMedia";
import { arrange, filterSearch, readFilters, toMediaQuery } from "./itemFilters";

const ALL = { state: null, kind: null, sort: "newest" } as const;

it.each([
  ["", ALL, ""],
  ["?state=failed", { ...ALL, state: "failed" }, "?state=failed"],
  ["?sort=title&kind=pdf", { ...ALL, kind: "pdf", sort: "title" }, "?kind=pdf&sort=title"],
  ["?state=gone&kind=%00&sort=up&x=1", ALL, ""],
  ["?sort=newest", ALL, ""],
])("reads and writes %j", (search, filters, written) => {
  expect(readFilters(search)).toEqual(filters);
  expect(filterSearch(readFilters(search))).toBe(written);
});

it("asks the server only for what it can tell apart", () => {
  expect(toMediaQuery(readFilters("?state=failed&kind=epub"), "l1")).toEqual({
    libraryId: "l1",
    kind: "epub",
    status: "failed",
  });
  expect(toMediaQuery(readFilters("?state=ready"), null)).toEqual({});
});

it("narrows by what can be done, whatever the status", () => {
  const playable = testMedia({
    id: "v",
    kind: "video",
    provider: "youtube",
    provider_id: "dQw4w9WgXcQ",
    capabilities: { can_play: true },
  });
  const file = testMedia({
    id: "f",
    kind: "pdf",
    processing_status: "ready_for_reading",
    capabilities: { can_download_file: true },
  });
  const items = [testMedia({ id: "w" }), playable, readyMedia({ id: "r" }), file];
  const ids = (search: string) => arrange(items, readFilters(search)).map((one) => one.id);
  expect(ids("?state=ready")).toEqual(["v", "r"]);
  expect(ids("?state=elsewhere")).toEqual(["f"]);
  expect(ids("?state=waiting")).toEqual(["w"]);
});

it("orders without touching what it was given", () => {
  const items = ["10 b", "9 a", "Éclair", "eagle"].map((title) => readyMedia({ id: title, title }));
  const ids = (search: string) => arrange(items, readFilters(search)).map((one) => one.id);
  expect(ids("?sort=title")).toEqual(["9 a", "10 b", "eagle", "Éclair"]);
  expect(ids("?sort=oldest")).toEqual(["eagle", "Éclair", "9 a", "10 b"]);
  expect(ids("")).toEqual(["10 b", "9 a", "Éclair", "eagle"]);
});
