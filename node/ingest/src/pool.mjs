/**
 * Keeps one warm browser while there is work: starts it with the first article, replaces it after
 * some articles or when it has grown, and closes it when nothing has come for a while. A warm
 * browser has its next tab open already; each tab is used once.
 */

import { browserMemory, launchBrowser } from './browser.mjs';
import { fetchFailed } from './errors.mjs';
import { openTab } from './tab.mjs';

const MEMORY_CHECK_EVERY = 10; // articles; asking costs a few milliseconds

export class BrowserPool {
  #current = null; // {starting, browser, spare, articles, active, retired}
  #all = new Set();
  #idleTimer;
  /** How many browsers were started so far. */
  started = 0;
  #guard;
  #options;

  constructor(guard, options = {}) {
    this.#guard = guard;
    this.#options = {
      maxArticles: 100,
      maxMemoryBytes: 700 * 1024 * 1024,
      idleMs: 5_000,
      ...options,
    };
  }

  /** `{tab, giveBack()}`: a tab for one article. Its browser stays open until it is given back. */
  async borrowTab() {
    clearTimeout(this.#idleTimer);
    const entry = this.#take();
    try {
      const tab = await this.#tab(entry);
      return { tab, giveBack: () => tab.close().then(() => this.#release(entry)) };
    } catch (error) {
      await this.#release(entry);
      throw error;
    }
  }

  /** Close every browser; work under way fails. */
  async close() {
    clearTimeout(this.#idleTimer);
    this.#current = null;
    await Promise.allSettled([...this.#all].map((entry) => this.#shut(entry)));
  }

  #take() {
    if (!this.#current) this.#current = this.#start();
    const entry = this.#current;
    entry.articles += 1;
    entry.active += 1;
    if (entry.articles >= this.#options.maxArticles) this.#retire(entry);
    return entry;
  }

  #start() {
    this.started += 1;
    const entry = { articles: 0, active: 0, retired: false, browser: null, spare: null };
    entry.starting = launchBrowser().then((browser) => {
      entry.browser = browser;
      browser.on('disconnected', () => this.#forget(entry));
      return browser;
    });
    entry.starting.catch(() => this.#forget(entry));
    this.#all.add(entry);
    return entry;
  }

  async #tab(entry) {
    const { spare } = entry;
    entry.spare = null;
    const browser = await entry.starting;
    const prepared = await spare;
    if (prepared && !prepared.crashed) return prepared;
    prepared?.close();
    try {
      return await openTab(browser, this.#guard);
    } catch {
      throw fetchFailed('the browser stopped before it could read this page');
    }
  }

  /** Opening one takes a good part of the time a small page takes: it is done before it is asked for. */
  #prepareSpare(entry) {
    if (entry.retired || entry.spare) return;
    entry.spare = openTab(entry.browser, this.#guard).catch(() => null);
  }

  async #release(entry) {
    entry.active -= 1;
    if (!entry.retired && entry.articles % MEMORY_CHECK_EVERY === 0) await this.#checkMemory(entry);
    this.#prepareSpare(entry);
    if (entry.active > 0) return;
    if (entry.retired) await this.#shut(entry);
    else if (entry === this.#current) this.#closeWhenIdle(entry);
  }

  #closeWhenIdle(entry) {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      if (entry.active > 0) return;
      this.#retire(entry);
      this.#shut(entry);
    }, this.#options.idleMs);
  }

  async #checkMemory(entry) {
    const used = await browserMemory(entry.browser).catch(() => 0);
    if (used > this.#options.maxMemoryBytes) this.#retire(entry);
  }

  #retire(entry) {
    entry.retired = true;
    if (entry === this.#current) this.#current = null;
  }

  #forget(entry) {
    this.#retire(entry);
    this.#all.delete(entry);
  }

  async #shut(entry) {
    const browser = await entry.starting.catch(() => null);
    await browser?.close().catch(() => {});
    await (await entry.spare)?.close();
    this.#forget(entry);
  }
}
