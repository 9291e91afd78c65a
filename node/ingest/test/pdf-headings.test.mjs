/** Headings of a PDF's text, from its outline and from how they look. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { full, LEADING, laidOut, pageOf } from "./support/pdf-page.mjs";

const APART = 2 * LEADING;
const prose = (number) => [1, 2, 3, 4].map((line) => full(`p${number}l${line}`));

/** The headings of pages, as `tag text`. */
const headings = (pages, outline = []) =>
  laidOut(pages, outline).filter((block) => /^h\d/.test(block));

test("larger lines are headings, and larger ones are higher", () => {
  const lines = [
    { text: "The Sea", size: 24 },
    { text: "Its ships", size: 16, gap: APART },
    ...prose(1),
    { text: "Its shores", size: 16, gap: APART },
    ...prose(2),
    { text: "Sand", size: 13, gap: APART },
    ...prose(3),
  ];
  assert.deepEqual(headings([pageOf(1, lines)]), [
    "h1 The Sea",
    "h2 Its ships",
    "h2 Its shores",
    "h3 Sand",
  ]);
});

test("a heading may take several lines", () => {
  const lines = [
    { text: "A long and thorough history of the", size: 16 },
    { text: "sea and of its ships", size: 16, gap: 19, x: 110 },
    ...prose(1),
  ];
  assert.deepEqual(headings([pageOf(1, lines)]), [
    "h1 A long and thorough history of the sea and of its ships",
  ]);
});

test("numbered headings below each other are two", () => {
  const lines = [
    { text: "1. The sea", size: 16 },
    { text: "1.1 Ships", size: 16, gap: 19 },
    ...prose(1),
  ];
  assert.equal(headings([pageOf(1, lines)]).length, 2);
});

test("large text of some length is none", () => {
  const text = "In the beginning there was the sea, and then a good many ships were on it.";
  assert.deepEqual(headings([pageOf(1, [{ text, size: 14 }, ...prose(1)])]), []);
});

test("a short line apart in a type of its own is one", () => {
  const lines = [
    ...prose(1),
    { text: "Shores", font: "bold", gap: APART },
    { text: full("p2l1"), gap: 15 },
    ...prose(3),
  ];
  assert.deepEqual(headings([pageOf(1, lines)]), ["h2 Shores"]);
  lines[4] = { text: "Shores are what it ends at.", font: "bold", gap: APART };
  assert.deepEqual(headings([pageOf(1, lines)]), []);
});

test("a line in capitals apart is one", () => {
  const lines = [
    ...prose(1),
    { text: "SHORES", gap: APART },
    { text: full("p2l1"), gap: 15 },
    ...prose(3),
  ];
  assert.deepEqual(headings([pageOf(1, lines)]), ["h2 SHORES"]);
});

test("lines of contents are none", () => {
  const lines = [{ text: "1 The sea . . . . . . . 7", size: 14 }, ...prose(1)];
  assert.deepEqual(headings([pageOf(1, lines)]), []);
});

test("the outline names headings of any size, at its own levels", () => {
  const pages = [
    pageOf(1, ["The Sea", ...prose(1)]),
    pageOf(2, [...prose(2), { text: "2.1 Its ships", gap: APART }, ...prose(3)]),
  ];
  const outline = [
    { label: "The sea", page: 1, level: 2 },
    { label: "Its ships", page: 2, level: 3 },
  ];
  assert.deepEqual(headings(pages, outline), ["h1 The Sea", "h2 2.1 Its ships"]);
});

test("it may number them in another way, or break them into lines", () => {
  const pages = [pageOf(1, ["CHAPTER ONE: Creators of", "the sea", ...prose(1)])];
  assert.deepEqual(headings(pages, [{ label: "1: Creators of the sea", page: 1, level: 1 }]), [
    "h1 CHAPTER ONE: Creators of the sea",
  ]);
});

test("a label that is not printed there changes nothing", () => {
  const pages = [pageOf(1, prose(1))];
  assert.deepEqual(headings(pages, [{ label: "Cover", page: 1, level: 1 }]), []);
  assert.deepEqual(
    headings(pages, [
      { label: "", page: 1, level: 1 },
      { label: "x", page: 9, level: 1 },
    ]),
    [],
  );
});

test("deep levels end at six", () => {
  const pages = [pageOf(1, ["Deep", ...prose(1)]), pageOf(2, ["Top", ...prose(2)])];
  const outline = [
    { label: "Deep", page: 1, level: 9 },
    { label: "Top", page: 2, level: 1 },
  ];
  assert.deepEqual(headings(pages, outline), ["h6 Deep", "h1 Top"]);
});
