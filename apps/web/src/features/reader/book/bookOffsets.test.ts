import { expect, it } from "vitest";
import { BookOffsets } from "./bookOffsets";

const parts = [12, 0, 5, 1].map((length, index) => ({
  id: `f${index}`,
  idx: index * 2,
  label: null,
  length,
}));
const book = new BookOffsets(parts);

it("puts fragments one after the other, one character apart", () => {
  expect(parts.map((_, index) => book.start(index))).toEqual([0, 13, 14, 20]);
  expect(book.length).toBe(21);
  expect(new BookOffsets([]).length).toBe(0);
});

it("leads from every place of the document to an offset and back", () => {
  for (const { id, length } of parts) {
    for (let offset = 0; offset <= length; offset += 1) {
      const place = { fragmentId: id, offset };
      const there = book.offsetOf(place) ?? -1;
      expect(book.placeOf(there)).toEqual(place);
    }
  }
});

it("knows fragments by the number that links have", () => {
  expect(book.offsetOfLink({ fragment: 4, offset: 2 })).toBe(16);
  expect(book.offsetOfLink({ fragment: 4, offset: 99 })).toBe(19);
  expect(book.offsetOfLink({ fragment: 1, offset: 0 })).toBeNull();
  expect(book.offsetOf({ fragmentId: "other", offset: 0 })).toBeNull();
});

it("keeps offsets outside of the book at its edges", () => {
  expect(book.placeOf(-3)).toEqual({ fragmentId: "f0", offset: 0 });
  expect(book.placeOf(500)).toEqual({ fragmentId: "f3", offset: 1 });
  expect(new BookOffsets([]).placeOf(0)).toBeNull();
});
