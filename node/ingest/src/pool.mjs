/**
 * Keeps one warm browser while there is work: starts it with the first article, replaces it after
 * some articles or when it has grown, and closes it when nothing has come for a while.
 */

import { browserMemory, launchBrowser } from './browser.mjs';

const MEMORY_CHECK_EVERY = 10; // articles; asking costs a few milliseconds

export class BrowserPool {
  #current = null; // {starting, browser, articles, active, retired}
  #all = new Set();
  #idleTimer;
  /** How many browsers were started so far. */
  started = 0;
  #options;

  constructor(options = {}) {
    this.#options = {
      maxArticles: 100,
      maxMemoryBytes: 700 * 1024 * 1024,
      idleMs: 5_000,
      launch: launchBrowser,
      ...options,
    };
  }

  /** Run `work(browser)` with a browser that stays open until it is done. */
  async use(work) {
    clearTimeout(this.#idleTimer);
    const entry = this.#take();
    try {
      return await work(await entry.starting);
    } finally {
      await this.#release(entry);
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
    const entry = { articles: 0, active: 0, retired: false, browser: null };
    entry.starting = this.#options.launch().then((browser) => {
      entry.browser = browser;
      browser.on('disconnected', () => this.#forget(entry));
      return browser;
    });
    entry.starting.catch(() => this.#forget(entry));
    this.#all.add(entry);
    return entry;
  }

  async #release(entry) {
    entry.active -= 1;
    if (!entry.retired && entry.articles % MEMORY_CHECK_EVERY === 0) await this.#checkMemory(entry);
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
    this.#forget(entry);
  }
}
