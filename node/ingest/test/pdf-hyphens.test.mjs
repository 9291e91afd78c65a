/** Which hyphens at the ends of lines are only there for the line. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { full, laidOut, pageOf } from "./support/pdf-page.mjs";

/** Whether the hyphen between the halves is hidden, in a text with these words in it. */
function isHidden(left, right, words = "") {
  const lines = [full("It was", left), `${right} and so it ended.`, words].filter(Boolean);
  return laidOut([pageOf(1, lines)])
    .join(" ")
    .includes("¬");
}

test("a word that also stands there whole was only divided", () => {
  assert.equal(isHidden("exam-", "ple", "For example this."), true);
  assert.equal(isHidden("INTRO-", "DUCTION", "An introduction."), true);
  assert.equal(isHidden("Trace-", "Monkey", "That is TraceMonkey."), true);
});

test("one that stands there with a hyphen was not", () => {
  assert.equal(isHidden("well-", "known", "It is a well-known ship."), false);
  assert.equal(isHidden("well-", "known", "A well\u2010known ship."), false);
});

test("without such evidence, halves that are no words were one", () => {
  assert.equal(isHidden("exam-", "ple"), true);
  assert.equal(isHidden("Ameri-", "can"), true);
});

test("halves that are both words stay apart", () => {
  assert.equal(isHidden("well-", "known", "Known to be a well."), false);
  assert.equal(isHidden("non-", "linear", "A non-zero linear thing."), false);
});

test("names, numbers and chains of words keep their hyphens", () => {
  assert.equal(isHidden("Jean-", "Paul"), false);
  assert.equal(isHidden("ISO-", "8859 it was"), false);
  assert.equal(isHidden("state-of-", "the-art"), false);
  assert.equal(isHidden("state-", "of-the-art"), false);
});

test("other hyphens count like the plain one, and a soft hyphen is always soft", () => {
  assert.equal(isHidden("exam\u2010", "ple"), true);
  assert.equal(isHidden("well\u00ad", "known", "Known to be a well."), true);
});

test("a hyphen in the middle of a line is left alone", () => {
  assert.equal(laidOut([pageOf(1, ["An exam-ple for example."])])[0].includes("¬"), false);
});

test("the second halves of divided words are no evidence", () => {
  const lines = [full("It was a", "central-"), full("ity or another", "activ-"), "ity of it."];
  assert.match(laidOut([pageOf(1, lines)])[0], /central¬ity .* activ¬ity/);
});

test("a word divided by a page break is one as well", () => {
  const pages = [
    pageOf(1, [full("It was"), full("an", "exam-")]),
    pageOf(2, [full("ple of the"), "sea."]),
  ];
  assert.match(laidOut(pages)[0], /exam¬ \| ple of the/);
});
