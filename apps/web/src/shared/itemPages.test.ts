import { expect, it } from "vitest";
import type { ListedMedia } from "../api/types";
import { testMedia } from "../testMedia";
import {
  firstPage,
  isEmpty,
  type ListData,
  mapItems,
  outdated,
  pagesBetween,
  rowsOf,
  withPage,
} from "./itemPages";

const items = (...ids: string[]): ListedMedia[] => ids.map((id) => testMedia({ id }));
const page = (ids: string[], nextCursor: string | null) => ({ items: items(...ids), nextCursor });
const ids = (data: ListData) => rowsOf(data).items.map((item) => item?.id ?? null);
const cursors = (data: ListData) => data.pages.map(({ cursor }) => cursor);

/** Three pages of two, with more to come. */
function long(): ListData {
  let data = firstPage(page(["a", "b"], "b"));
  data = withPage(data, "b", page(["c", "d"], "d"));
  return withPage(data, "d", page(["e", "f"], "f"));
}

it("grows by the page that follows, and by no other", () => {
  const data = long();
  expect(ids(data)).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect(data.next).toBe("f");
  expect(withPage(data, "x", page(["y"], null))).toBe(data);
  expect(isEmpty(data)).toBe(false);
  expect(isEmpty(firstPage(page([], null)))).toBe(true);
});

it("loads a page again in its place, and leaves the others alone", () => {
  const data = outdated(long());
  const again = withPage(data, "b", page(["c", "d"], "d"));
  expect(again.pages.map((one) => one.outdated)).toEqual([true, false, true]);
  expect(cursors(again)).toEqual([null, "b", "d"]);
});

it("shows every item once when something new pushes the pages on", () => {
  let data = withPage(long(), null, page(["new", "a"], "a"));
  // The second page is still what it was, and known to begin elsewhere now.
  expect(ids(data)).toEqual(["new", "a", "c", "d", "e", "f"]);
  expect(data.pages[1]).toMatchObject({ cursor: "a", outdated: true });
  data = withPage(data, "a", page(["b", "c"], "c"));
  data = withPage(data, "c", page(["d", "e"], "e"));
  expect(ids(data)).toEqual(["new", "a", "b", "c", "d", "e"]);
  expect(data.next).toBe("e");
});

it("shows an item once while a page overlaps with the next", () => {
  const data = withPage(long(), null, page(["a", "c"], "c"));
  expect(ids(data)).toEqual(["a", "c", "d", "e", "f"]);
});

it("ends where the server says so", () => {
  const data = withPage(long(), "b", page(["c"], null));
  expect(ids(data)).toEqual(["a", "b", "c"]);
  expect(data.next).toBeNull();
});

it("loads again what was asked for before a change", () => {
  const data = long();
  const changed = mapItems(data, (item) => (item.id === "d" ? null : item));
  const loaded = withPage(changed, "b", page(["c", "d"], "d"), data.revision);
  expect(loaded.pages[1]?.outdated).toBe(true);
});

it("keeps the pages that a change does not touch", () => {
  const data = long();
  const changed = mapItems(data, (item) => (item.id === "d" ? null : item));
  expect(changed.pages[0]).toBe(data.pages[0]);
  expect(changed.pages[1]).toMatchObject({ size: 1 });
  expect(mapItems(data, (item) => item)).toBe(data);
});

it("keeps room for what is not loaded", () => {
  const blank = (cursor: string | null, size: number) => ({
    cursor,
    size,
    items: null,
    outdated: false,
  });
  const data = { pages: [blank(null, 2), blank("b", 1)], next: null, revision: 0 };
  expect(ids(data)).toEqual([null, null, null]);
  expect(ids(withPage(data, "b", page(["c"], null)))).toEqual([null, null, "c"]);
});

it.each([
  [0, 0, [0]],
  [1, 2, [0, 1]],
  [2, 3, [1]],
  [5, 90, [2]],
])("finds the pages of rows %i to %i", (first, last, pages) => {
  expect(pagesBetween(rowsOf(long()).starts, first, last)).toEqual(pages);
});
