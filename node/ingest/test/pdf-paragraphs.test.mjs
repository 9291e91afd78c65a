/** Where the paragraphs of a PDF's text begin and end. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { full, item, LEADING, laidOut, page, pageOf } from "./support/pdf-page.mjs";

const INDENT = 72 + 15;

/** How many lines of each block, by the numbers they begin with. */
const grouped = (pages) =>
  laidOut(pages).map((block) => [...block.matchAll(/L(\d+)/g)].map((match) => Number(match[1])));

/** A line that begins with a number of its own and is full, or short and at an end. */
const line = (number, rest = {}) => ({ text: full(`L${number}`), ...rest });
const last = (number, rest = {}) => ({ text: `L${number} the end.`, ...rest });
/** A full line that ends a sentence. */
const stop = (number, rest = {}) => ({ text: full(`L${number}`, "end."), ...rest });

test("lines that fill the column are one paragraph", () => {
  assert.deepEqual(grouped([pageOf(1, [line(1), line(2), last(3)])]), [[1, 2, 3]]);
});

test("a short last line ends a paragraph", () => {
  const lines = [line(1), last(2), line(3), line(4), last(5)];
  assert.deepEqual(grouped([pageOf(1, lines)]), [
    [1, 2],
    [3, 4, 5],
  ]);
});

test("a line that ends in the middle of a sentence needs more room to be a last one", () => {
  const nearly = { text: full("L2").slice(0, 36) };
  const lines = [line(1), nearly, { text: full("l3 goes") }, line(4)];
  assert.equal(laidOut([pageOf(1, lines)]).length, 1);
});

test("an indent begins a paragraph", () => {
  const indented = (number) => ({ text: full(`L${number}`).slice(0, 37), x: INDENT });
  const lines = [line(1), stop(2), indented(3), line(4), stop(5), indented(6), line(7)];
  assert.deepEqual(grouped([pageOf(1, lines)]), [
    [1, 2],
    [3, 4, 5],
    [6, 7],
  ]);
});

test("two first lines in a row are two paragraphs", () => {
  const indented = (text) => ({ text: `${text.padEnd(36, "e")}.`, x: INDENT });
  const lines = [line(1), stop(2), indented("L3 all of it"), indented("L4 and more"), line(5)];
  assert.deepEqual(grouped([pageOf(1, lines)]), [[1, 2], [3], [4, 5]]);
});

test("lines that hang belong to the entry they hang from", () => {
  const hanging = (number) => ({ text: full(`L${number}`).slice(0, 37), x: INDENT });
  const lines = [line(1), hanging(2), hanging(3), line(4), hanging(5), hanging(6)];
  assert.deepEqual(grouped([pageOf(1, lines)]), [
    [1, 2, 3],
    [4, 5, 6],
  ]);
});

test("a larger gap than usual begins a paragraph, a little more does not", () => {
  const lines = [line(1), line(2), line(3), line(4), stop(5), line(6, { gap: 1.5 * LEADING })];
  assert.deepEqual(grouped([pageOf(1, lines)]), [[1, 2, 3, 4, 5], [6]]);
  lines[5] = line(6, { gap: 1.1 * LEADING });
  assert.deepEqual(grouped([pageOf(1, lines)]), [[1, 2, 3, 4, 5, 6]]);
});

test("another size begins a block", () => {
  const note = { text: full("L3"), size: 8 };
  assert.deepEqual(grouped([pageOf(1, [line(1), line(2), note, { ...note, text: full("L4") }])]), [
    [1, 2],
    [3, 4],
  ]);
});

test("items of lists are blocks, with the lines that hang from them", () => {
  const mark = (text) => ({ text, x: 72 });
  const rest = (text) => ({ text, x: 72 + 10 });
  for (const [first, second] of [
    ["• L1 one", "• L3 two"],
    ["1. L1 one", "2. L3 two"],
    ["(a) L1 one", "(b) L3 two"],
    ["– L1 one", "– L3 two"],
    ["[1] L1 one", "[2] L3 two"],
  ]) {
    const lines = [
      mark(first.padEnd(40, "e")),
      rest("L2 and its end."),
      mark(second.padEnd(40, "e")),
      rest("L4 and its end."),
    ];
    assert.deepEqual(
      grouped([pageOf(1, lines)]),
      [
        [1, 2],
        [3, 4],
      ],
      first,
    );
  }
});

test("a number in the middle of a sentence is no item", () => {
  const lines = [line(1), { text: full("2) L2 is what it") }, line(3)];
  assert.deepEqual(grouped([pageOf(1, lines)]), [[1, 2, 3]]);
});

test("but it is one when the next line is one too", () => {
  const lines = ["L1 What there was", "1. L2 a ship", "2. L3 a sail"];
  assert.deepEqual(grouped([pageOf(1, lines)]), [[1], [2], [3]]);
});

test("entries of an index are blocks, with the page numbers that do not fit", () => {
  const lines = [
    { text: "L1 anchors, 12, 14" },
    { text: "L2 boats, made of wood or iron, 3, 5–7, 9," },
    { text: "11, 13", x: INDENT },
    { text: "l4 captains, 1" },
  ];
  assert.equal(laidOut([pageOf(1, lines)]).length, 3);
});

test("pages of one line each do not make a paragraph", () => {
  const pages = [1, 2, 3].map((number) => pageOf(number, [`L${number} stands alone`]));
  assert.deepEqual(grouped(pages), [[1], [2], [3]]);
});

test("a wider text above, apart from it, does not make the lines of a column short", () => {
  const wide = (number) => ({ text: full(`L${number}`).padEnd(80, "e") });
  const lines = [wide(1), wide(2), stop(3, { gap: 3 * LEADING }), line(4), last(5)];
  assert.deepEqual(grouped([pageOf(1, lines)]), [
    [1, 2],
    [3, 4, 5],
  ]);
});

test("captions begin blocks", () => {
  const lines = [line(1), { text: full("Figure 2. L2") }, line(3)];
  assert.deepEqual(grouped([pageOf(1, lines)]), [[1], [2, 3]]);
});

test("text flush right and centred text are read by their width", () => {
  const right = (text) => ({ text, x: 300 - text.length * 5 });
  const flush = [
    "L1 one two three four five six seve",
    "L2 one two three four five six",
    "L3 one two three four five six sev",
    "L4 one two three four five six se",
    "L5 one two three four five six s",
  ].map(right);
  assert.deepEqual(grouped([pageOf(1, flush)]), [[1, 2, 3, 4, 5]]);
  const centred = (text) => ({ text, x: 200 - text.length * 2.5 });
  const verses = [
    "L1 Where the bee sucks",
    "L2 There",
    "L3 In a cowslip's bell I lie,",
    "L4 I couch",
    "L5 When owls",
  ];
  assert.deepEqual(grouped([pageOf(1, verses.map(centred))]), [[1], [2], [3], [4], [5]]);
});

test("verses and lists of names are a line each", () => {
  const verses = [
    "L1 By the shores of Gitche",
    "L2 By the",
    "L3 Stood the wigwam of Noko",
    "L4 Daughter",
    "L5 Dark",
    "L6 Rose the",
  ];
  assert.equal(laidOut([pageOf(1, verses)]).length, verses.length);
});

test("each row of a table is a block", () => {
  const rows = [1, 2, 3].flatMap((number) => [
    item(`L${number} name`, { y: 700 - number * LEADING, hasEOL: false }),
    item(" ", { x: 112, y: 700 - number * LEADING, width: 80, height: 0, hasEOL: false }),
    item("42", { x: 192, y: 700 - number * LEADING }),
  ]);
  assert.deepEqual(laidOut([page(1, rows)]), ["p L1 name 42", "p L2 name 42", "p L3 name 42"]);
});

test("cells that end with a line end still make one row", () => {
  const rows = [1, 2].flatMap((number) => [
    item(`L${number} name`, { y: 700 - number * LEADING }),
    item("42", { x: 192, y: 700 - number * LEADING }),
  ]);
  assert.deepEqual(laidOut([page(1, rows)]), ["p L1 name 42", "p L2 name 42"]);
});

test("lines of contents are blocks", () => {
  const lines = [
    "Preface and thanks to all xiii",
    "Introduction to this book 1",
    "How it all came about 15",
  ];
  assert.equal(laidOut([pageOf(1, lines)]).length, 3);
});

test("a paragraph goes on in the next column", () => {
  const right = { x: 300 };
  const items = [line(1), line(2), line(3), { ...line(4), ...right }, { ...last(5), ...right }].map(
    ({ text, ...rest }, index) => item(text, { y: 700 - (index % 3) * LEADING, ...rest }),
  );
  assert.deepEqual(grouped([page(1, items)]), [[1, 2, 3, 4, 5]]);
});

test("a new column begins a paragraph after one that ended", () => {
  const items = [line(1), line(2), last(3), { ...line(4), x: 300 }, { ...line(5), x: 300 }].map(
    ({ text, ...rest }, index) => item(text, { y: 700 - (index % 3) * LEADING, ...rest }),
  );
  assert.deepEqual(grouped([page(1, items)]), [
    [1, 2, 3],
    [4, 5],
  ]);
});

test("a paragraph goes on over a page break", () => {
  const pages = [pageOf(1, [line(1), line(2)]), pageOf(2, [{ text: full("goes on L3") }, last(4)])];
  assert.deepEqual(laidOut(pages), [
    `p ${full("L1")} ${full("L2")} | ${full("goes on L3")} L4 the end.`,
  ]);
});

test("a paragraph that ended on its page does not", () => {
  const pages = [pageOf(1, [line(1), last(2)]), pageOf(2, [line(3), last(4)])];
  assert.deepEqual(grouped(pages), [
    [1, 2],
    [3, 4],
  ]);
});

test("after a full line with a stop, an indent tells whether the next page begins a paragraph", () => {
  const indented = (number) => ({ text: full(`L${number}`).slice(0, 37), x: INDENT });
  const first = pageOf(1, [indented(1), line(2), stop(3), indented(4), line(5), stop(6)]);
  assert.deepEqual(
    grouped([first, pageOf(2, [line(7), line(8), last(9)])]).at(-1),
    [4, 5, 6, 7, 8, 9],
  );
  assert.deepEqual(grouped([first, pageOf(2, [indented(7), line(8), last(9)])]).at(-1), [7, 8, 9]);
});

test("text around a large initial is one paragraph with it", () => {
  const beside = (number) => ({ text: full(`L${number}`).slice(0, 34), x: 72 + 30 });
  const lines = [
    { text: "T", size: 36 },
    { ...beside(1), gap: -2 * LEADING },
    beside(2),
    beside(3),
    line(4),
    line(5),
  ];
  const [block, ...others] = laidOut([pageOf(1, lines)]);
  assert.match(block, /^p T L1 .*L5 /);
  assert.deepEqual(others, []);
});

test("raised marks of notes are set off", () => {
  const items = [
    item("as was said", { hasEOL: false }),
    item("12", { x: 127, y: 704, size: 6, hasEOL: false }),
    item(" before", { x: 133 }),
  ];
  assert.deepEqual(laidOut([page(1, items)]), ["p as was said^12^ before"]);
});

test("rotated, vertical and right-to-left text is divided like any other", () => {
  const turned = [1, 2, 3].map((number) =>
    item(number === 3 ? "L3 the end." : full(`L${number}`), {
      x: 100 + number * LEADING,
      y: 72,
      turn: 90,
    }),
  );
  assert.deepEqual(grouped([page(1, turned)]), [[1, 2, 3]]);

  const column = (text, x) => ({
    ...item(text, { x, y: 700, font: "v" }),
    dir: "ttb",
    width: 10,
    height: text.length * 10,
  });
  const vertical = [
    column("いろはにほへとちりぬるを", 300),
    column("わかよたれそつねならむ。", 284),
  ];
  const styles = { v: { vertical: true } };
  assert.deepEqual(laidOut([page(1, vertical, styles)]).length, 1);

  const arabic = (text, y) => ({ ...item(text, { x: 300 - text.length * 5, y }), dir: "rtl" });
  const lines = [
    "كان يا ما كان في قديم الزمان",
    "وسالف العصر والأوان ملك كبير.",
    "انتهى.",
    "كان يا ما كان في قديم الزمان",
  ];
  const blocks = laidOut([
    page(
      1,
      lines.map((text, index) => arabic(text, 700 - index * LEADING)),
    ),
  ]);
  assert.deepEqual(blocks, [`p ${lines.slice(0, 3).join(" ")}`, `p ${lines[3]}`]);
});

test("text at another angle stands apart", () => {
  const items = [
    item(full("L1")),
    item("arXiv:1234.5678", { x: 20, y: 200, turn: 90 }),
    item(full("L2"), { y: 600 }),
  ];
  assert.deepEqual(grouped([page(1, items)]).length, 3);
});

test("what no space separates is never divided", () => {
  const lines = [
    { text: `${full("L1").slice(0, 38)}e-` },
    { text: "L2 in another type", size: 14, gap: 100 },
  ];
  assert.deepEqual(grouped([pageOf(1, lines)]), [[1, 2]]);
});
