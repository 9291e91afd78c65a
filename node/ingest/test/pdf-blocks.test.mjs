/** What holds for the blocks of any PDF: all of its text, once, in order, and the same as HTML. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { JSDOM } from "jsdom";

import { BlockRenderer, layoutDocument } from "../src/pdf/layout/index.mjs";
import { item, page, pageOf } from "./support/pdf-page.mjs";

const html = (blocks, pages) => [...new BlockRenderer().render(blocks, pages)].join("");

/** The canonical text of HTML that has only paragraphs, headings, line breaks and inline elements. */
function canonical(markup) {
  let text = "";
  const walk = (node) => {
    const isBlock = /^(?:P|H\d)$/.test(node.nodeName);
    if (node.nodeName === "#text") text += node.data;
    if (isBlock || node.nodeName === "BR") text += "\n";
    for (const child of node.childNodes) walk(child);
    if (isBlock) text += "\n";
  };
  walk(JSDOM.fragment(markup));
  return text.trim();
}

/** Checks what must hold, and returns the HTML. */
function check(pages, outline = []) {
  const blocks = layoutDocument({ pages, outline });
  const texts = new Map(pages.map(({ number, text }) => [number, [...text]]));
  const read = [];
  for (const { parts, inline, soft } of blocks) {
    for (const part of parts) {
      assert.ok(part.start < part.end);
      const before = read.at(-1);
      if (before?.page === part.page) {
        assert.equal(texts.get(part.page).slice(before.end, part.start).join(""), " ");
      } else {
        assert.equal(part.start, 0);
        if (before) assert.equal(before.end, texts.get(before.page).length);
      }
      read.push(part);
    }
    for (const mark of [...inline, ...soft]) {
      const part = parts.find((each) => each.page === mark.page);
      assert.ok(part.start <= mark.start && mark.start < mark.end && mark.end <= part.end);
    }
    for (const { page: number, start, end } of soft) {
      assert.match(texts.get(number).slice(start, end).join(""), /^[-\u2010\u00ad]$/);
    }
  }
  const numbers = pages.filter(({ text }) => text).map(({ number }) => number);
  assert.deepEqual([...new Set(read.map((part) => part.page))], numbers);
  const markup = html(blocks, pages);
  const whole = pages.flatMap(({ text }) => text || []).join(" ");
  assert.equal(canonical(markup).replaceAll("\n", " "), whole);
  assert.doesNotMatch(canonical(markup), /\s\s/);
  return markup;
}

/** Numbers from 0 to 1 that look random and are the same on every run. */
function* numbers(seed) {
  for (let state = seed; ; ) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state / 2147483648;
  }
}

const PIECES = [
  "the",
  "Sea-",
  "-",
  "12",
  "1.",
  "•",
  " ",
  "",
  "𝒳𝒴",
  "é",
  "<b>&amp;",
  "الزمان",
  "日本",
  "x".repeat(60),
  "THE SHIPS",
  "end.",
  "exam-",
];

function randomPage(number, random) {
  const next = (limit) => Math.floor(random.next().value * limit);
  const items = Array.from({ length: next(60) }, () => {
    const str = PIECES[next(PIECES.length)];
    const made = item(str, {
      x: next(5) * 100,
      y: next(60) * 12,
      size: [6, 10, 10, 10, 14, 30, 0][next(7)],
      font: ["body", "head"][next(2)],
      turn: [0, 0, 0, 90, 180, 33][next(6)],
      hasEOL: next(3) > 0,
    });
    if (next(20) === 0) made.transform = [Number.NaN, 0, 0, Number.POSITIVE_INFINITY, 0, 0];
    return { ...made, dir: ["ltr", "ltr", "rtl", "ttb"][next(4)] };
  });
  return page(number, items);
}

test("all of the text is there once and in order, whatever the items are", () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = numbers(seed);
    const pages = Array.from({ length: 1 + (seed % 6) }, (_, index) =>
      randomPage(index + 1, random),
    );
    check(pages, [
      { label: "The Ships", page: 1, level: 1 },
      { label: "12", page: 2, level: 2 },
    ]);
  }
});

test("pages without text, and documents without pages, have no blocks", () => {
  assert.deepEqual(layoutDocument({ pages: [] }), []);
  assert.deepEqual(layoutDocument({ pages: [page(1, []), page(2, [item(" ")])] }), []);
  assert.equal(check([page(1, []), pageOf(2, ["The sea."]), page(3, [])]), "<p>The sea.</p>");
});

test("text is escaped", () => {
  assert.equal(check([pageOf(1, ["if a < b && b > c"])]), "<p>if a &lt; b &amp;&amp; b &gt; c</p>");
});

/** HTML of blocks that are one word each. */
function written(tags) {
  const words = tags.map((_, index) => `w${index}`);
  const blocks = tags.map((tag, index) => ({
    tag,
    parts: [{ page: 1, start: index * 3, end: index * 3 + 2 }],
    inline: [],
    soft: [],
  }));
  const markup = html(blocks, [{ number: 1, text: words.join(" ") }]);
  assert.equal(canonical(markup), words.join("\n"));
  return markup;
}

test("a single newline separates blocks, of whatever kind they are", () => {
  assert.equal(written(["p", "p", "p"]), "<p>w0</p>w1<p>w2</p>");
  assert.equal(written(["h1", "p", "p", "h2", "p"]), "<h1>w0</h1>w1<br>w2<h2>w3</h2>w4");
  assert.equal(written(["h1", "p", "h2"]), "<h1>w0</h1>w1<h2>w2</h2>");
  assert.equal(written(["p", "h1"]), "w0<h1>w1</h1>");
  assert.equal(written(["h1", "h2", "p"]), "<h1>w0</h1><strong>w1</strong><p>w2</p>");
  assert.equal(
    written(["small", "p", "small"]),
    "<p><small>w0</small></p>w1<p><small>w2</small></p>",
  );
});

test("batches that are cleaned one by one make the same text", () => {
  const pages = [{ number: 1, text: "a b c d e f g h i j k l" }];
  const tags = ["p", "h2", "h2", "p", "p", "h1", "small", "p", "h3", "p", "small", "h2"];
  /** @type {any[]} */
  const blocks = tags.map((tag, index) => ({
    tag,
    parts: [{ page: 1, start: 2 * index, end: 2 * index + 1 }],
    inline: [],
    soft: [],
  }));
  for (let first = 0; first <= blocks.length; first += 1) {
    for (let second = first; second <= blocks.length; second += 1) {
      const renderer = new BlockRenderer();
      const batches = [blocks.slice(0, first), blocks.slice(first, second), blocks.slice(second)];
      const pieces = batches.flatMap((batch) => [...renderer.render(batch, pages)]);
      assert.equal(canonical(pieces.join("")), pages[0].text.replaceAll(" ", "\n"));
      assert.equal(pieces.map(canonical).join("\n"), canonical(pieces.join("")));
    }
  }
});

test("what is small, raised or hidden is marked inside its block", () => {
  const pages = [
    { number: 1, text: "a12 in an exam-" },
    { number: 2, text: "ple 7 or two-" },
    { number: 3, text: "THE SEA fold" },
  ];
  const blocks = [
    {
      tag: "p",
      parts: pages.map(({ number, text }) => ({ page: number, start: 0, end: text.length })),
      inline: [
        { kind: "sup", page: 1, start: 1, end: 3 },
        { kind: "small", page: 2, start: 4, end: 5 },
        { kind: "small", page: 3, start: 0, end: 7 },
      ],
      soft: [{ page: 1, start: 14, end: 15 }],
    },
  ];
  const markup = html(blocks, pages);
  assert.equal(
    markup,
    "<p>a<sup>12</sup> in an exam<del>- </del>ple <small>7</small> or two- <small>THE SEA</small> fold</p>",
  );
  assert.equal(canonical(markup), pages.map(({ text }) => text).join(" "));
});

test("a block on a page that is not there is an error", () => {
  const block = { tag: "p", parts: [{ page: 2, start: 0, end: 1 }], inline: [], soft: [] };
  assert.throws(() => html([block], [{ number: 1, text: "a" }]), /page 2/);
});
