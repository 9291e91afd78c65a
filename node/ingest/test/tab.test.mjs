/** Opening tabs. In a browser that stops meanwhile: `long/killed-tabs.test.mjs`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { launchBrowser } from "../src/browser.mjs";
import { Guard } from "../src/guard.mjs";
import { Pages } from "../src/page.mjs";
import { openWarmTab } from "../src/tab.mjs";

test("a tab that was warmed up is as empty as any other", async () => {
  const { browser } = await launchBrowser();
  try {
    const tab = await openWarmTab(browser, new Guard());
    const expression = "location.href + document.body.textContent";
    const { result } = await tab.page.session.send("Runtime.evaluate", { expression });
    assert.equal(result.value, "about:blank");
    await tab.close();
  } finally {
    await browser.close();
  }
});

test("a page that is reported after it was created is waited for", async () => {
  const root = new RootThatReportsLate();
  const browser = { root, major: "1", session: () => root };
  const pages = new Pages(/** @type {any} */ (browser));
  await pages.listen();
  const page = await pages.open("http://127.0.0.1:1");
  assert.equal(page.target, "late");
});

class RootThatReportsLate {
  /** @type {Map<string, (event: object) => void>} */
  #listeners = new Map();

  /**
   * @param {string} name
   * @param {(event: object) => void} listener
   */
  on(name, listener) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, listener);
  }

  /** @param {string} method */
  async send(method) {
    if (method === "Target.createBrowserContext") return { browserContextId: "one" };
    if (method === "Target.createTarget") setImmediate(() => this.#report());
    return {};
  }

  #report() {
    const targetInfo = { type: "page", targetId: "late", browserContextId: "one" };
    this.#listeners.get("Target.attachedToTarget")?.({ sessionId: "1", targetInfo });
  }
}
