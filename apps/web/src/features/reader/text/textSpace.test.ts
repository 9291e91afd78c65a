import { expect, it } from "vitest";
import { BookOffsets } from "../book/bookOffsets";
import { offsetsOfPassage, oneFragment } from "./textSpace";

const at = (fragmentId: string, start: number, end: number) => ({ fragmentId, start, end });

it("finds a passage of the only fragment, by code points", () => {
  const space = oneFragment({ id: "f", idx: 0, canonical_text: "a 🐟 in the sea" });
  expect(space.length).toBe(14);
  expect(offsetsOfPassage(space, at("f", 2, 3))).toEqual({ start: 2, end: 3 });
  expect(offsetsOfPassage(space, at("f", 10, 99))).toEqual({ start: 10, end: 14 });
});

it("finds a passage in its chapter", () => {
  const parts = [10, 20].map((length, idx) => ({ id: `f${idx}`, idx, label: null, length }));
  const space = new BookOffsets(parts);
  expect(offsetsOfPassage(space, at("f1", 3, 5))).toEqual({ start: 14, end: 16 });
});

it.each([
  ["another text's", at("gone", 0, 3)],
  ["one beyond the end", at("f", 14, 20)],
  ["an empty one", at("f", 3, 3)],
  ["one that ends before it begins", at("f", 5, 3)],
])("knows no passage for %s", (_, passage) => {
  expect(offsetsOfPassage(oneFragment({ id: "f", idx: 0, length: 14 }), passage)).toBeNull();
});
