import { expect, it } from "vitest";
import { CodePointIndex } from "../../../canonical/codepoints";
import { type Found, findAll, MAX_HITS } from "./findAll";
import { findPattern } from "./findPattern";

async function search(text: string, query: string, signal = new AbortController().signal) {
  const told: Found[] = [];
  const pattern = findPattern(query) ?? /(?!)/g;
  const searched = { text, codePoints: new CodePointIndex(text) };
  await findAll(searched, pattern, { signal, onFound: (found) => told.push(found) });
  return told;
}

it("counts in code points", async () => {
  const [found] = await search("😀 a 😀 a", "a");
  expect(found).toEqual({
    hits: [
      { start: 2, end: 3 },
      { start: 6, end: 7 },
    ],
    done: true,
    more: false,
  });
});

it("finds what lies across slices, once", async () => {
  const places = [256 * 1024 - 5, 256 * 1024 * 2 + 3, 256 * 1024 * 3 - 1];
  const chars = Array.from({ length: 256 * 1024 * 4 }, () => "x");
  for (const place of places) chars.splice(place, 11, ..."needle in h");
  const told = await search(chars.join(""), "needle in h");
  expect(told.at(-1)?.hits.map(({ start }) => start)).toEqual(places);
  expect(told.length).toBeGreaterThan(3);
  expect(told.map(({ done }) => done)).toEqual([...told.slice(1).map(() => false), true]);
});

it("stops at a number that nobody looks through, and says so", async () => {
  const told = await search("a ".repeat(MAX_HITS + 5), "a");
  expect(told.at(-1)).toMatchObject({ done: true, more: true });
  expect(told.at(-1)?.hits).toHaveLength(MAX_HITS);
});

it("stops when another search begins", async () => {
  const stop = new AbortController();
  const running = search("x".repeat(2_000_000), "y", stop.signal);
  stop.abort();
  expect(await running).toHaveLength(1);
});
