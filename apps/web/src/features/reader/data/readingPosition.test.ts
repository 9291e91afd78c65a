// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { KeptPosition, SeenPosition } from "../../../api/reading";
import { BookOffsets } from "../book/bookOffsets";
import { oneFragment } from "../text/textSpace";
import { ReadingPosition } from "./readingPosition";

const sent: SeenPosition[] = [];
const fetched = vi.fn(async (_path: string, init: RequestInit) => {
  const body = JSON.parse(String(init.body)) as SeenPosition;
  sent.push(body);
  return Response.json({ data: body });
});

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-05-01T12:00:00Z") });
  vi.stubGlobal("fetch", fetched);
  localStorage.clear();
  sent.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function position(elsewhere: { offset: number; at: string } | null = null): ReadingPosition {
  return new ReadingPosition({
    userId: "u",
    mediaId: "m",
    space: oneFragment({ id: "f", idx: 0, length: 100 }),
    elsewhere: elsewhere && {
      fragment_id: "f",
      offset: elsewhere.offset,
      changed_at: elsewhere.at,
    },
  });
}

it("is where the person was last, on whatever device", () => {
  position().write(40);
  expect(position().read()).toBe(40);
  expect(position({ offset: 90, at: "2026-05-01T11:00:00Z" }).read()).toBe(40);
  expect(position({ offset: 90, at: "2026-05-01T13:00:00Z" }).read()).toBe(90);
});

it("sends the last of many places, once", async () => {
  const here = position();
  for (const offset of [10, 20, 30]) here.write(offset);
  await vi.advanceTimersByTimeAsync(5_000);
  here.flush();
  expect(sent).toEqual([{ fragment_id: "f", offset: 30, changed_at: "2026-05-01T12:00:00.000Z" }]);
});

it("sends again what did not arrive", async () => {
  fetched.mockRejectedValueOnce(new TypeError("offline"));
  const here = position();
  here.write(10);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toEqual([]);
  expect(position().read()).toBe(10);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent.map(({ offset }) => offset)).toEqual([10]);
});

it("sends nothing that the server knows", async () => {
  const there = { offset: 10, at: "2026-05-01T12:00:00Z" };
  position().write(10);
  await vi.advanceTimersByTimeAsync(5_000);
  sent.length = 0;
  const again = position(there);
  expect(again.read()).toBe(10);
  again.write(10);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toEqual([]);
});

it("names the fragment in a text of several", async () => {
  const parts = [10, 20, 30].map((length, idx) => ({ id: `f${idx}`, idx, label: null, length }));
  const book = (elsewhere: KeptPosition | null) =>
    new ReadingPosition({ userId: "u", mediaId: "m", space: new BookOffsets(parts), elsewhere });
  book(null).write(15);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toEqual([{ fragment_id: "f1", offset: 4, changed_at: "2026-05-01T12:00:00.000Z" }]);
  expect(book(null).read()).toBe(15);
  const later = { fragment_id: "f2", offset: 7, changed_at: "2026-05-01T13:00:00Z" };
  expect(book(later).read()).toBe(39);
  // Of another text, which this one has taken the place of.
  expect(book({ ...later, fragment_id: "gone" }).read()).toBe(15);
});

it("tells how far the text has been on the screen", async () => {
  const here = position();
  here.write(10, 60);
  await vi.advanceTimersByTimeAsync(5_000);
  here.write(10, 60);
  here.write(10, 50);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent.map(({ offset, seen_to }) => [offset, seen_to])).toEqual([[10, 60]]);
  here.write(10, 100);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent.at(-1)?.seen_to).toBe(100);
});

it("tells how far a chapter has been seen, and when a book has come to its end", async () => {
  const parts = [10, 20, 30].map((length, idx) => ({ id: `f${idx}`, idx, label: null, length }));
  const space = new BookOffsets(parts);
  const book = new ReadingPosition({ userId: "u", mediaId: "m", space, elsewhere: null });
  const at: [number, number][] = [
    [15, 25],
    [15, 40],
    [15, space.length],
  ];
  for (const [offset, seen] of at) {
    book.write(offset, seen);
    await vi.advanceTimersByTimeAsync(5_000);
  }
  expect(sent.map(({ changed_at: _, ...one }) => one)).toEqual([
    { fragment_id: "f1", offset: 4, seen_to: 14 },
    { fragment_id: "f1", offset: 4, seen_to: 20 },
    { fragment_id: "f2", offset: 0, seen_to: 30 },
  ]);
});
