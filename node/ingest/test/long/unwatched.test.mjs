/** A page that fills its heap says so itself: what becomes of it does not hang on when it was looked at. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { launchBrowser } from "../../src/browser.mjs";
import { BrowserTree } from "../../src/browser-tree.mjs";
import { Guard } from "../../src/guard.mjs";
import { openTab } from "../../src/tab.mjs";
import { until } from "../support/patience.mjs";

test("a page that nobody looked at is known to have needed too much", async () => {
  const { browser, pid, crashes } = await launchBrowser();
  const tree = new BrowserTree(pid, () => 1); // in no watch
  let noted = 0;
  browser.onOutOfHeap = () => {
    noted += 1;
    tree.noteOutOfHeap();
  };
  try {
    const tab = await openTab(browser, new Guard());
    const expression = "for (const a = []; ; ) a.push(new Array(1e6).fill(Math.random()))";
    await assert.rejects(tab.page.session.send("Runtime.evaluate", { expression }), /crashed/);
    const signal = await crashes.signalOf(tab.target);
    await until(() => noted > 0, "what it wrote is read");
    assert.equal(noted, 1);
    assert.equal(tree.claim(signal), "guilty");
    await tab.close();
  } finally {
    await browser.close();
  }
});
