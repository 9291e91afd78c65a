/** Tabs of a browser that is killed while they open. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { launchBrowser } from "../../src/browser.mjs";
import { Guard } from "../../src/guard.mjs";
import { isAlive, openTab, openWarmTab } from "../../src/tab.mjs";
import { browsersOf, pagesOf } from "../support/extractor.mjs";
import { until } from "../support/patience.mjs";

// The browser is not always as far when it stops: one of these meets a page that is half open, and
// another may find it open.
for (const round of [1, 2, 3]) {
  test(`a browser that stops while a tab opens leaves none that can be used, round ${round}`, async () => {
    const { browser } = await launchBrowser();
    const [first] = browsersOf(process.pid);
    const opening = openTab(browser, new Guard()).catch(() => null);
    await until(() => pagesOf(process.pid).length > 0, "its page gets a process");
    process.kill(first, "SIGKILL");
    const tab = await opening;
    assert.ok(!tab || !(await isAlive(tab)));
    await tab?.close();
    await until(() => browsersOf(process.pid).length === 0, "the browser is gone");
  });
}

test("a browser that stops while a tab is warmed up leaves none", async () => {
  const { browser } = await launchBrowser();
  const [first] = browsersOf(process.pid);
  const opening = openWarmTab(browser, new Guard());
  opening.catch(() => {});
  process.kill(first, "SIGKILL");
  await assert.rejects(opening);
  await until(() => browsersOf(process.pid).length === 0, "the browser is gone");
});
