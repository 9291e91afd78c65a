// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { keep } from "../../ui/localStore";
import { addRecent, readRecent, removeRecent } from "./recentSearches";

beforeEach(() => localStorage.clear());

it("keeps the last searches of each person, each once", () => {
  for (const query of ["tide", "  the   moon ", "Tide"]) addRecent("u", query);
  expect(readRecent("u")).toEqual(["Tide", "the moon"]);
  expect(readRecent("other")).toEqual([]);
});

it("keeps only some, and nothing empty or endless", () => {
  for (let n = 0; n < 20; n += 1) addRecent("u", `search ${n}`);
  addRecent("u", "   ");
  addRecent("u", "x".repeat(300));
  expect(readRecent("u")).toHaveLength(8);
  expect(readRecent("u")[0]).toBe("search 19");
});

it("forgets one", () => {
  for (const query of ["tide", "moon"]) addRecent("u", query);
  removeRecent("u", "tide");
  expect(readRecent("u")).toEqual(["moon"]);
});

it("makes nothing of what it does not understand", () => {
  keep("nexus.searches.u", { not: "a list" });
  expect(readRecent("u")).toEqual([]);
  keep("nexus.searches.u", ["tide", 4, null]);
  expect(readRecent("u")).toEqual(["tide"]);
});
