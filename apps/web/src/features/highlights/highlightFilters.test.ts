import { expect, it } from "vitest";
import { filterSearch, readFilters, toggled } from "./highlightFilters";

it.each([
  "",
  "?q=two+words",
  "?q=%22a+phrase%22&item=m1&library=l1&after=2025-01-01&before=2026-01-01",
  "?color=green&color=blue&tag=to+read&tag=%C3%A9t%C3%A9",
])("keeps %s as it is", (search) => {
  expect(filterSearch(readFilters(search))).toBe(search);
});

it("passes over what is blank or unknown", () => {
  expect(readFilters("?q=+&color=&after=&sort=title")).toEqual({});
});

it("speaks the words of the API", () => {
  expect(readFilters("?item=m1&library=l1")).toEqual({ media_id: "m1", library_id: "l1" });
});

it("adds a color, and takes it away when pressed again", () => {
  expect(toggled(undefined, "green")).toEqual(["green"]);
  expect(toggled(["green"], "blue")).toEqual(["green", "blue"]);
  expect(toggled(["green", "blue"], "green")).toEqual(["blue"]);
});
