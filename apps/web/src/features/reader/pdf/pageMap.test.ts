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

it("knows when the layer does not hold the text", () => {
  const found = pageText(ITEMS);
  const { root, spans } = layerOf(ITEMS);
  expect(pageMap(root, spans.slice(0, 2), found)).toBeNull();
});
