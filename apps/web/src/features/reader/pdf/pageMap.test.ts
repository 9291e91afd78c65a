// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { pageText } from "../../../../../../canonical/pdf/page-text.mjs";
import { offsetsToRange, rangeToOffsets } from "../../../canonical";
import { randomFrom } from "../testRandom";
import { pageMap } from "./pageMap";

/** A text layer as pdf.js makes it: a span for each item, and empty ones not on the page. */
function layerOf(items: readonly { str: string; hasEOL: boolean }[]) {
  const root = document.createElement("div");
  const spans = items.map(({ str, hasEOL }) => {
    const span = document.createElement("span");
    span.textContent = str;
    if (str !== "") root.append(span);
    if (hasEOL) root.append(document.createElement("br"));
    return span;
  });
  document.body.replaceChildren(root);
  return { root, spans };
}

const line = (str: string) => ({ str, hasEOL: true });
const ITEMS = [
  line("  The  first\u0002 line, with an exam-"),
  { str: "", hasEOL: true },
  { str: "ple 😀😀 and", hasEOL: false },
  line(" a ﬁ\u0301n."),
  line("Cafe\u0301 and more"),
];

it("leads from every passage to a range and back to the same passage", () => {
  const found = pageText(ITEMS);
  const { root, spans } = layerOf(ITEMS);
  const map = pageMap(root, spans, found);
  if (!map) throw new Error("there is no map");
  const letters = [...found.text];
  const random = randomFrom(5);
  for (let times = 0; times < 300; times += 1) {
    const start = random(letters.length);
    const end = start + 1 + random(letters.length - start);
    const passage = letters.slice(start, end).join("");
    if (passage.trim() !== passage) continue;
    const range = offsetsToRange(map, { start, end });
    if (!range) throw new Error(`there is no range for ${passage}`);
    const covered = range.toString().replaceAll("\u0002", "").normalize("NFC");
    expect(covered.replace(/\s+/g, "")).toBe(passage.replace(/\s+/g, ""));
    expect(rangeToOffsets(map, range)).toEqual({ start, end });
  }
});

it.each([
  ["alone", "\u0a5e"],
  ["before a word", "\u0a5e\u0a32"],
  ["after one", "\u0a32\u0a5e"],
])("draws a character that NFC takes apart as a whole, %s", (_, str) => {
  const items = [line(str)];
  const found = pageText(items);
  const { root, spans } = layerOf(items);
  const map = pageMap(root, spans, found);
  const start = found.text.indexOf("\u0a2b");
  const whole = { start, end: start + 2 };
  expect(found.text.slice(start, start + 2)).toBe("\u0a2b\u0a3c");
  for (const passage of [whole, { start, end: start + 1 }, { start: start + 1, end: start + 2 }]) {
    const range = map && offsetsToRange(map, passage);
    expect(range?.toString()).toBe("\u0a5e");
    expect(map && range && rangeToOffsets(map, range)).toEqual(whole);
  }
});

it("knows when the layer does not hold the text", () => {
  const found = pageText(ITEMS);
  const { root, spans } = layerOf(ITEMS);
  expect(pageMap(root, spans.slice(0, 2), found)).toBeNull();
});
