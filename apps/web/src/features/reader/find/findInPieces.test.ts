import { expect, it } from "vitest";
import { CodePointIndex } from "../../../canonical";
import type { TextPiece } from "../text/readingText";
import type { Found } from "./findAll";
import { findInPieces } from "./findInPieces";

const BOOK = ["a sea", "no such word", "the sea, the sea", "sea"];
const STARTS = [0, 6, 19, 36];

async function* pieces(order: readonly number[]): AsyncGenerator<TextPiece> {
  for (const index of order) {
    const text = BOOK[index] ?? "";
    yield { text, codePoints: new CodePointIndex(text), start: STARTS[index] ?? 0 };
  }
}

async function search(order: readonly number[], signal = new AbortController().signal) {
  const told: Found[] = [];
  await findInPieces(pieces(order), /sea/g, { signal, onFound: (found) => told.push(found) });
  return told;
}

it.each([[[0, 1, 2, 3]], [[2, 3, 0, 1]]])("finds in reading order, from %j on", async (order) => {
  const found = (await search(order)).at(-1);
  expect(found).toMatchObject({ done: true, more: false });
  expect(found?.hits).toEqual([2, 23, 32, 36].map((start) => ({ start, end: start + 3 })));
});

it("tells the first match before the rest is searched", async () => {
  const [first] = await search([2, 3, 0, 1]);
  expect(first).toMatchObject({ done: false });
  expect(first?.hits[0]).toEqual({ start: 23, end: 26 });
});

it("tells nothing once it is stopped", async () => {
  const stop = new AbortController();
  stop.abort();
  expect(await search([0, 1, 2, 3], stop.signal)).toEqual([]);
});
