import { beforeEach, expect, it } from "vitest";
import {
  clearSelection,
  currentSelection,
  forgetSelection,
  keepSelected,
  noteFocus,
  selectAll,
  selectTo,
  targets,
  toggleSelected,
} from "./selection";

const ORDER = ["a", "b", "c", "d", "e"];

beforeEach(forgetSelection);

it("acts on what is ticked, or else on what has focus", () => {
  expect(targets()).toEqual([]);
  noteFocus("b");
  expect(targets()).toEqual(["b"]);
  toggleSelected("d");
  toggleSelected("e");
  toggleSelected("d");
  expect(targets()).toEqual(["e"]);
  clearSelection();
  expect(targets()).toEqual(["b"]);
});

it.each([
  ["b", "d", ["b", "c", "d"]],
  ["d", "b", ["d", "b", "c"]],
  ["c", "c", ["c"]],
])("ticks the range from %s to %s", (from, to, selected) => {
  toggleSelected(from);
  selectTo(to, ORDER);
  expect(targets()).toEqual(selected);
});

it("ticks one row where a range has no beginning, or one that is gone", () => {
  selectTo("c", ORDER);
  expect(targets()).toEqual(["c"]);
  toggleSelected("gone");
  selectTo("e", ORDER);
  expect(targets()).toEqual(["c", "gone", "e"]);
});

it("forgets what has left the list", () => {
  selectAll(ORDER);
  keepSelected((id) => id !== "c");
  expect(targets()).toEqual(["a", "b", "d", "e"]);
  const before = currentSelection();
  keepSelected(() => true);
  expect(currentSelection()).toBe(before);
});
