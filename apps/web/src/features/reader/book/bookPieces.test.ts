import { expect, it } from "vitest";
import { BookOffsets } from "./bookOffsets";
import { BookPieces } from "./bookPieces";

const parts = Array.from({ length: 20 }, (_, idx) => ({
  id: `f${idx}`,
  idx,
  label: null,
  length: 3,
}));
const offsets = new BookOffsets(parts);

function book() {
  const asked: number[] = [];
  let [open, most] = [0, 0];
  const pieces = new BookPieces({
    offsets,
    shown: () => null,
    fetch: async (index) => {
      asked.push(index);
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
      return { canonical_text: `t${index % 10}.` };
    },
  });
  return { pieces, asked, most: () => most };
}

async function starts(pieces: BookPieces, from: number, signal = new AbortController().signal) {
  const found: number[] = [];
  for await (const { start } of pieces.from(from, signal)) found.push(start / 4);
  return found;
}

it("goes from a chapter to the end and on from the beginning, a few at a time", async () => {
  const { pieces, most } = book();
  const order = await starts(pieces, offsets.start(5));
  expect(order).toEqual([...parts.keys()].map((at) => (at + 5) % 20));
  expect(most()).toBeLessThanOrEqual(6);
});

it("fetches nothing twice", async () => {
  const { pieces, asked } = book();
  await starts(pieces, 0);
  await starts(pieces, offsets.start(7));
  expect(asked).toHaveLength(20);
  pieces.forget();
  expect(pieces.get(3)).toBeNull();
});

it("stops when nobody searches any more", async () => {
  const { pieces, asked } = book();
  const stop = new AbortController();
  for await (const { start } of pieces.from(0, stop.signal)) if (start > 8) stop.abort();
  expect(asked.length).toBeLessThan(12);
});
