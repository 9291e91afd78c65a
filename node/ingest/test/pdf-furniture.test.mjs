/** Running heads, footers and page numbers of a PDF: set apart, not lost. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { full, LEADING, laidOut, pageOf } from "./support/pdf-page.mjs";

const APART = 3 * LEADING;

/** A page with full lines between a head and a foot; the paragraph goes on over its end. */
function bookPage(number, { head = null, foot = null } = {}) {
  const lines = [1, 2, 3].map((index) => ({ text: full(`p${number}l${index}`) }));
  Object.assign(lines[0], head && { gap: APART });
  return pageOf(number, [
    ...(head ? [{ text: head, size: 9, font: "head" }] : []),
    ...lines,
    ...(foot ? [{ text: foot, gap: APART }] : []),
  ]);
}

const pagesOf = (count, options) =>
  Array.from({ length: count }, (_, index) => bookPage(index + 1, options(index + 1)));

/** What is small, as a block or inside one. */
const small = (pages, outline = []) =>
  laidOut(pages, outline).flatMap((block) =>
    block.startsWith("small ")
      ? [block.slice(6)]
      : [...block.matchAll(/\[(.*?)\]/g)].map((match) => match[1]),
  );

test("heads that repeat on left and right pages are furniture", () => {
  const heads = (number) => ({ head: number % 2 ? "THE SEA" : "A HISTORY OF SHIPS" });
  assert.equal(small(pagesOf(6, heads)).length, 6);
});

test("so are lines that change only in their number", () => {
  assert.deepEqual(small(pagesOf(3, (number) => ({ foot: `The sea, page ${number + 7}` }))), [
    "The sea, page 8",
    "The sea, page 9",
    "The sea, page 10",
  ]);
});

test("numbers that count with the pages are furniture, also Roman ones", () => {
  const roman = ["i", "ii", "iii", "iv", "v"];
  assert.deepEqual(small(pagesOf(3, (number) => ({ foot: `– ${number + 40} –` }))).length, 3);
  assert.deepEqual(small(pagesOf(5, (number) => ({ foot: roman[number - 1] }))), roman);
  assert.deepEqual(small(pagesOf(3, (number) => ({ foot: `Page ${number} of 3` }))).length, 3);
});

test("so are digits of the width of Chinese characters", () => {
  const digits = ["１", "２", "３"];
  assert.deepEqual(small(pagesOf(3, (number) => ({ foot: digits[number - 1] }))), digits);
});

test("numbers that do not are text", () => {
  const years = ["1914", "1870", "2001"];
  assert.deepEqual(small(pagesOf(3, (number) => ({ foot: years[number - 1] }))), []);
});

test("heads that are different on every page are known by place and type", () => {
  const words = ["aardvark", "abacus", "badger", "cactus", "daisy", "eagle", "falcon", "goose"];
  assert.deepEqual(small(pagesOf(8, (number) => ({ head: words[number - 1] }))), words);
});

test("titles at the same place of far pages are not", () => {
  const pages = pagesOf(60, (number) =>
    number % 10 === 1 ? { head: `Title ${full(`t${number}`).slice(0, 9)}` } : {},
  );
  assert.deepEqual(small(pages), []);
});

test("what the outline names is no furniture", () => {
  const pages = pagesOf(4, () => ({ head: "The sea" }));
  const blocks = laidOut(pages, [{ label: "The sea", page: 3, level: 1 }]);
  assert.deepEqual(
    blocks.filter((block) => block.startsWith("h1")),
    ["h1 The sea"],
  );
});

test("the same words in the middle of pages are text", () => {
  const pages = [1, 2, 3, 4].map((number) =>
    pageOf(
      number,
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((line) =>
        line === 5 ? "To be sung again." : full(`p${number}l${line}`),
      ),
    ),
  );
  assert.deepEqual(small(pages), []);
});

test("a page is never all furniture", () => {
  const slides = [1, 2, 3, 4].map((number) => pageOf(number, ["Thank you"]));
  assert.deepEqual(small(slides), []);
});

test("between the halves of a paragraph it is set small inside", () => {
  const pages = pagesOf(3, (number) => ({ head: "THE SEA", foot: String(number) }));
  const [before, ...rest] = laidOut(pages);
  assert.equal(before, "small THE SEA");
  const inside = ["1", "2"].map((number) => `[${number}] | [THE SEA]`);
  assert.ok(
    inside.every((text) => rest[0].includes(text)),
    rest[0],
  );
  assert.deepEqual(rest.slice(1), ["small 3"]);
});

test("between two paragraphs it is a block of its own", () => {
  const pages = [1, 2, 3].map((number) =>
    pageOf(number, [
      full(`p${number}l1`),
      `${full(`p${number}l2`).slice(0, 20)}.`,
      { text: String(number), gap: APART },
    ]),
  );
  assert.deepEqual(
    laidOut(pages).map((block) => block.split(" ")[0]),
    ["p", "small", "p", "small", "p", "small"],
  );
});

test("a number that the page rule joins to a hyphen stays with it", () => {
  const pages = [1, 2, 3].map((number) =>
    pageOf(number, [
      full(`p${number}l1`),
      full(`p${number}l2`, "in-"),
      { text: String(number), gap: APART },
    ]),
  );
  const blocks = laidOut(pages);
  assert.ok(
    blocks.every((block) => block.startsWith("p ")),
    blocks.join("\n"),
  );
  assert.match(blocks.join(" "), /in-\[1\].*in-\[2\].*in-\[3\]/);
});
