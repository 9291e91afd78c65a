/** Laying out a PDF takes work in proportion to its text. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { BlockRenderer, layoutDocument } from "../src/pdf/layout/index.mjs";
import { item, page, pageOf } from "./support/pdf-page.mjs";
import { countSteps } from "./support/steps.mjs";

const stepsOf = await countSteps("/src/pdf/");

const html = (blocks, pages) => [...new BlockRenderer().render(blocks, pages)].join("");

test("work grows with the text, not with its square", async () => {
  const lines = (count) =>
    Array.from({ length: count }, (_, index) => item(`L${index} exam-`, { y: -index * 12 }));
  const row = (count) =>
    Array.from({ length: count }, (_, index) => item("ab ", { x: index * 15, hasEOL: false }));
  const joined = (count) =>
    Array.from({ length: count }, (_, index) => item("ab-", { y: -index * 12 }));
  const sheets = (count) =>
    Array.from({ length: count }, (_, index) =>
      pageOf(index + 1, ["THE SEA", "It was an exam-", "ple of what it was.", String(index + 1)]),
    );
  /** @type {Record<string, (count: number) => {pages: any[], outline?: any[]}>} */
  const SHAPES = {
    lines: (count) => ({ pages: [page(1, lines(count))] }),
    row: (count) => ({ pages: [page(1, row(count))] }),
    joined: (count) => ({ pages: [page(1, joined(count))] }),
    sheets: (count) => {
      const pages = sheets(count / 5);
      return {
        pages,
        outline: pages.map(({ number }) => ({ label: "It was", page: number, level: 1 })),
      };
    },
  };
  for (const [name, make] of Object.entries(SHAPES)) {
    const [few, many] = [make(200), make(2_000)];
    const work = ({ pages, outline = [] }) =>
      stepsOf(() => html(layoutDocument({ pages, outline }), pages));
    const base = await work(few);
    assert.ok(base > 200, name);
    const all = await work(many);
    assert.ok(all < 12 * base, `${name}: ${all} steps, after ${base} for a tenth`);
  }
});
