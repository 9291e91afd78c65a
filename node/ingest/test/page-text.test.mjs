/** The rule for the text of a PDF's page: its cases, and what holds for any items at all. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { pageText } from "../../../canonical/pdf/page-text.mjs";

const CASES = JSON.parse(
  readFileSync(new URL("../../../canonical/pdf/cases.json", import.meta.url), "utf8"),
);

for (const { name, items, text, runs } of CASES) {
  test(`case: ${name}`, () => {
    const page = pageText(items);
    assert.equal(page.text, text);
    assert.deepEqual(
      page.runs.map(({ item, from, to, offset }) => [item, from, to, offset]),
      runs,
    );
  });
}

const PIECES = [
  ...["a", "Z", "7", "word", "-", "\u2010", "\u00ad", "–", ".", "(", "ﬁ", "漢", "שלום", "\ue001"],
  ...[" ", "  ", "\u00a0", "\t", "\u3000", "\ufeff", "\u2028", "\u200b"],
  ...["\u0000", "\u0007", "\u009f", "\ud83d", "\ude00", "\ud83d\ude00", "\ufffe", "\ufdd0"],
  ...["e", "\u0301", "\u0344", "\u0958", "\u1112", "\u1161", "\u11ab", "\u0304".repeat(17)],
];
const WHITESPACE = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/u;

/** Gives numbers below a limit, the same in every run for a seed. */
function numbers(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function randomItems(seed) {
  const below = numbers(seed);
  return Array.from({ length: below(8) }, () =>
    below(12) === 0
      ? { type: "endMarkedContent" }
      : {
          str: Array.from({ length: below(6) }, () => PIECES[below(PIECES.length)]).join(""),
          hasEOL: below(3) === 0,
        },
  );
}

test("whatever the items are, the text is clean and the runs lead back to them", () => {
  for (let seed = 0; seed < 20_000; seed += 1) {
    const items = randomItems(seed);
    const { text, runs } = pageText(items);
    const said = JSON.stringify(items);
    assert.equal(text, text.normalize("NFC"), said);
    assert.equal(Buffer.from(text).toString(), text, said);
    assert.doesNotMatch(text, / {2}|^ | $|\p{Cc}/u, said);
    assert.ok(![...text].some((each) => each !== " " && WHITESPACE.test(each)), said);
    assert.doesNotMatch(text, /\p{M}{31}/u, said);
    checkRuns(items, [...text], runs, said);
    assert.equal(pageText([{ str: text }]).text, text, said);
  }
});

/** In order, apart from each other, and the characters they name except where NFC changed them. */
function checkRuns(items, characters, runs, said) {
  let offset = 0;
  let place = [0, 0];
  const covered = new Set();
  for (const run of runs) {
    assert.ok(run.offset >= offset, said);
    assert.ok(run.item > place[0] || (run.item === place[0] && run.from >= place[1]), said);
    const source = [...items[run.item].str.slice(run.from, run.to)];
    assert.ok(source.length > 0, said);
    source.forEach((each, index) => {
      const written = characters[run.offset + index];
      covered.add(run.offset + index);
      const same = WHITESPACE.test(each) ? written === " " : written === each;
      assert.ok(
        same || written.normalize("NFD") !== written || /\p{M}|[क한하ᄒ]/u.test(written),
        said,
      );
    });
    offset = run.offset + source.length;
    place = [run.item, run.to];
  }
  characters.forEach((each, index) => {
    assert.ok(covered.has(index) || each === " " || /\p{M}/u.test(each), said);
  });
}
