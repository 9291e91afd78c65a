import { expect, it } from "vitest";
import type { SearchResult } from "../../api/search";
import { readyMedia, testMedia } from "../../testMedia";
import { markedParts } from "./markedParts";
import { countWords, linesOf, resultHref } from "./results";

const FRAGMENT = "00000000-0000-4000-8000-00000000000a";

function result(more: Partial<SearchResult>): SearchResult {
  return {
    type: "item",
    media: readyMedia(),
    fragment_id: null,
    start_offset: null,
    end_offset: null,
    highlight_id: null,
    snippet: { text: "", hits: [] },
    ...more,
  };
}

const passage = { fragment_id: FRAGMENT, start_offset: 3, end_offset: 9 } as const;

it("opens an item, a passage or a highlight", () => {
  expect(resultHref(result({}))).toBe("/read/m1");
  expect(resultHref(result({ type: "passage", ...passage }))).toBe(`/read/m1?at=${FRAGMENT}.3-9`);
  for (const type of ["highlight", "note"] as const) {
    expect(resultHref(result({ type, ...passage, highlight_id: "h1" }))).toBe("/read/m1#h=h1");
  }
});

it("opens what cannot be read on its own page", () => {
  expect(resultHref(result({ media: testMedia(), ...passage }))).toBe("/item/m1");
});

it("marks the title of an item where that was found, and the rest below it", () => {
  const marked = ({ text, hits }: SearchResult["snippet"]) =>
    markedParts(text, hits).map((part) => (part.hit ? `[${part.text}]` : part.text).trim());
  const media = readyMedia({ title: "🐟 Of tides" });
  const text = "🐟 Of tides · A. Moon · tides";
  const lines = linesOf(
    result({
      media,
      snippet: {
        text,
        hits: [
          [5, 10],
          [23, 28],
        ],
      },
    }),
  );
  expect(marked(lines.title)).toEqual(["🐟 Of", "[tides]"]);
  expect(marked(lines.line)).toEqual(["A. Moon ·", "[tides]"]);
  const snippet = { text: "tides follow", hits: [[0, 5]] } satisfies SearchResult["snippet"];
  const passage = linesOf(result({ type: "passage", media, snippet }));
  expect(passage).toEqual({ title: { text: "🐟 Of tides", hits: [] }, line: snippet });
});

it.each([
  [0, false, "No results"],
  [1, false, "1 result"],
  [8, true, "8+ results"],
  [1, true, "1+ results"],
])("counts %d, more: %s", (count, more, words) => {
  expect(countWords(count, more)).toBe(words);
});
