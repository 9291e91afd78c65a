import { expect, it } from "vitest";
import { filterSearch, isNarrowed, readFilters, toMediaQuery } from "./itemFilters";

const ALL = { state: null, kind: null, tags: [], sort: "newest" } as const;

it.each([
  ["", ALL, ""],
  ["?state=failed", { ...ALL, state: "failed" }, "?state=failed"],
  ["?sort=title&kind=pdf", { ...ALL, kind: "pdf", sort: "title" }, "?kind=pdf&sort=title"],
  ["?tag=ai&tag=%20To%20do&tag=AI&tag=", { ...ALL, tags: ["ai", "To do"] }, "?tag=ai&tag=To+do"],
  ["?state=gone&kind=%00&sort=up&x=1", ALL, ""],
  ["?sort=newest", ALL, ""],
])("reads and writes %j", (search, filters, written) => {
  expect(readFilters(search)).toEqual(filters);
  expect(filterSearch(readFilters(search))).toBe(written);
});

it("leaves the order out of the address where it is the usual one of the view", () => {
  expect(readFilters("", "opened").sort).toBe("opened");
  expect(filterSearch(readFilters("?sort=opened", "opened"), "opened")).toBe("");
  expect(filterSearch(readFilters("?sort=newest", "opened"), "opened")).toBe("?sort=newest");
});

it("asks the server for what is chosen, within what the view is about", () => {
  const filters = readFilters("?state=failed&kind=epub&sort=length&tag=b");
  expect(toMediaQuery(filters, { libraryId: "l1", tags: ["a"] })).toEqual({
    libraryId: "l1",
    kind: "epub",
    status: "failed",
    sort: "length",
    tags: ["a", "b"],
  });
  expect(toMediaQuery(readFilters("?state=unread"), { state: "reading" })).toEqual({
    state: "reading",
  });
  expect(toMediaQuery(readFilters("?tag=AI"), { tags: ["ai"] })).toEqual({ tags: ["ai"] });
  expect(toMediaQuery(readFilters(""), {})).toEqual({});
});

it("tells narrowing from ordering", () => {
  expect(isNarrowed(readFilters("?sort=title"))).toBe(false);
  expect(isNarrowed(readFilters("?tag=ai"))).toBe(true);
});
