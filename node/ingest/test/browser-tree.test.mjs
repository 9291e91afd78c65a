/** Verdicts about memory, charged to a page by how it ended, whatever was seen of it before. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { BrowserTree } from "../src/browser-tree.mjs";

const [KILLED, TRAP, STACK_OVERFLOW] = [9, 5, 11];
const NOBODY = 2 ** 30; // no process has this number

beforeEach(() => mock.timers.enable({ apis: ["Date"] }));
afterEach(() => mock.timers.reset());

const tree = (articles = 1) => new BrowserTree(NOBODY, () => articles);

test("a page that ended itself was not too large for all we know", () => {
  assert.equal(tree().claim(TRAP), null);
});

test("a page that somebody else ended is nobody's fault", () => {
  assert.equal(tree().claim(KILLED), "killed");
});

test("a page that said that its heap was full was, though nobody had looked", () => {
  const browser = tree();
  browser.noteOutOfHeap();
  assert.equal(browser.claim(TRAP), "guilty");
  assert.equal(browser.claim(TRAP), null, "and no other");
});

test("a page that ended in another way takes no verdict from it", () => {
  const browser = tree();
  browser.noteOutOfHeap();
  assert.equal(browser.claim(STACK_OVERFLOW), null);
  assert.equal(browser.claim(null), null);
  assert.equal(browser.claim(TRAP), "guilty");
});

test("a verdict that nobody claimed is not kept for a page of another time", () => {
  const browser = tree();
  browser.noteOutOfHeap();
  mock.timers.setTime(Date.now() + 60_000);
  assert.equal(browser.claim(TRAP), null);
});

test("a browser that was ended takes all its pages with it", () => {
  for (const [articles, verdict] of /** @type {const} */ ([
    [1, "guilty"],
    [2, "crowded"],
  ])) {
    const browser = tree(articles);
    browser.end();
    assert.equal(browser.claim(null), verdict);
    assert.equal(browser.claim(KILLED), verdict);
  }
});
