/**
 * Keeps one warm browser while there is work: starts it with the first article, replaces it after
 * some articles or when it has grown, and closes it when nothing has come for a while. A warm
 * browser has its next tab open already; each tab is used once.
 */

import { setTimeout as pause } from "node:timers/promises";

import { launchBrowser } from "./browser.mjs";
import { interrupted } from "./errors.mjs";
import { LIMITS } from "./limits.mjs";
import { MemoryWatch } from "./memory-watch.mjs";
import { isAlive, openTab, openWarmTab } from "./tab.mjs";

/**
 * @import { Browser } from "./browser-process.mjs"
 * @import { BrowserTree, Verdict } from "./browser-tree.mjs"
 * @import { Crashes } from "./crashes.mjs"
 * @import { Guard } from "./guard.mjs"
 * @import { Tab } from "./tab.mjs"
 *
 * @typedef {object} PoolOptions
 * @property {number} maxArticles
 * @property {number} maxMemoryBytes
 * @property {number} memoryLimitBytes
 * @property {number} idleMs
 *
 * @typedef {object} Loan
 * @property {Tab} tab
 * @property {() => Promise<Verdict | null>} overMemory
 * @property {() => Promise<void>} giveBack
 *
 * @typedef {object} Entry A browser, with what is known of it.
 * @property {Promise<Browser>} starting
 * @property {Browser | null} browser
 * @property {BrowserTree | null} tree
 * @property {Crashes | null} crashes
 * @property {Promise<Tab | null> | null} spare
 * @property {number} articles
 * @property {number} active
 * @property {boolean} retired
 * @property {() => void} [open] Lets the others in.
 */

export class BrowserPool {
  /** @type {Entry | null} */
  #current = null; // {starting, browser, tree, crashes, spare, articles, active, retired}
  /** @type {Set<Entry>} */
  #all = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #idleTimer;
  /** How many browsers were started so far. */
  started = 0;
  #guard;
  #options;
  #watch;
  /** @type {Promise<void>} */
  #gate = Promise.resolve(); // closed while an article is, or is about to be, alone

  /**
   * @param {Guard} guard
   * @param {Partial<PoolOptions>} options
   */
  constructor(guard, options = {}) {
    this.#guard = guard;
    this.#options = {
      maxArticles: 100,
      maxMemoryBytes: 700 * 1024 * 1024,
      memoryLimitBytes: LIMITS.browserMemoryBytes,
      idleMs: 5_000,
      ...options,
    };
    this.#watch = new MemoryWatch(this.#options.memoryLimitBytes);
  }

  /**
   * `{tab, overMemory(), giveBack()}`: a tab for one article, in a browser of its own if it is to be
   * alone. The browser stays open until it is given back. `overMemory()` is for an article that
   * failed: whether it was ended for lack of memory (see `BrowserTree`). It takes a moment.
   * @returns {Promise<Loan>}
   */
  async borrowTab({ alone = false } = {}) {
    const open = await (alone ? this.#others() : this.#admitted());
    clearTimeout(this.#idleTimer);
    const entry = this.#take(alone);
    entry.open = open;
    try {
      const tab = await this.#tab(entry);
      return {
        tab,
        overMemory: () => verdictOn(entry, tab),
        giveBack: () => this.#giveBack(entry, tab),
      };
    } catch (error) {
      error.overMemory = await verdictOn(entry);
      await this.#release(entry);
      throw error;
    }
  }

  /**
   * @param {Entry} entry
   * @param {Tab} tab
   */
  async #giveBack(entry, tab) {
    // Closing this tab and opening the next would slow down what its reader waits for.
    if (entry.active === 1) await pause(LIMITS.storeMs);
    await tab.close();
    await this.#release(entry);
  }

  /** Resolves when nobody has to be alone. Keeps nobody out, so there is nothing to let in. */
  async #admitted() {
    let gate;
    while (gate !== this.#gate) {
      gate = this.#gate;
      await gate;
    }
    return () => {};
  }

  /** Keep others out and wait for those under way, within a limit. Returns what lets them in. */
  async #others() {
    const before = this.#gate;
    let open = () => {};
    this.#gate = new Promise((resolve) => {
      open = resolve;
    });
    await before;
    const late = Date.now() + LIMITS.crowdMs;
    const busy = () => [...this.#all].some(({ active }) => active > 0);
    while (busy() && Date.now() < late) await new Promise((resolve) => setTimeout(resolve, 20));
    return open;
  }

  /** Close every browser; work under way fails. */
  async close() {
    clearTimeout(this.#idleTimer);
    this.#current = null;
    await Promise.allSettled([...this.#all].map((entry) => this.#shut(entry)));
  }

  /** @param {boolean} alone */
  #take(alone) {
    const entry = (alone ? null : this.#current) ?? this.#start();
    if (!alone) this.#current = entry;
    entry.articles += 1;
    entry.active += 1;
    if (alone || entry.articles >= this.#options.maxArticles) this.#retire(entry);
    return entry;
  }

  #start() {
    this.started += 1;
    const launched = launchBrowser({ memoryBytes: this.#options.memoryLimitBytes });
    const starting = launched.then(({ browser, pid, crashes }) => {
      entry.browser = browser;
      entry.crashes = crashes;
      const tree = this.#watch.add(pid, () => entry.active);
      entry.tree = tree;
      browser.onOutOfHeap = () => tree.noteOutOfHeap();
      browser.stopped.then(() => this.#forget(entry));
      return browser;
    });
    /** @type {Entry} */
    const entry = {
      starting,
      articles: 0,
      active: 0,
      retired: false,
      browser: null,
      tree: null,
      crashes: null,
      spare: null,
    };
    starting.catch(() => this.#forget(entry));
    this.#all.add(entry);
    return entry;
  }

  /** @param {Entry} entry */
  async #tab(entry) {
    const { spare } = entry;
    entry.spare = null;
    const browser = await entry.starting;
    const prepared = await spare;
    if (prepared && (await isAlive(prepared))) return prepared;
    prepared?.close();
    try {
      return await openTab(browser, this.#guard);
    } catch {
      throw interrupted("the browser stopped before it could read this page");
    }
  }

  /**
   * Opening one takes a good part of the time a small page takes: it is done before it is asked for.
   * Warming it up costs more than it saves, and is for a browser that has nothing else to do.
   * @param {Entry} entry
   */
  #prepareSpare(entry) {
    if (entry.retired || entry.spare || !entry.browser) return;
    const open = entry.active > 0 ? openTab : openWarmTab;
    entry.spare = open(entry.browser, this.#guard).catch(() => null);
  }

  /** @param {Entry} entry */
  async #release(entry) {
    entry.active -= 1;
    entry.open?.();
    const bytes = entry.retired ? 0 : (entry.tree?.measure() ?? 0);
    if (bytes > this.#options.maxMemoryBytes) this.#retire(entry);
    this.#prepareSpare(entry);
    if (entry.active > 0) return;
    if (entry.retired) await this.#shut(entry);
    else if (entry === this.#current) this.#closeWhenIdle(entry);
  }

  /** @param {Entry} entry */
  #closeWhenIdle(entry) {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      if (entry.active > 0) return;
      this.#retire(entry);
      this.#shut(entry);
    }, this.#options.idleMs);
  }

  /** @param {Entry} entry */
  #retire(entry) {
    entry.retired = true;
    if (entry === this.#current) this.#current = null;
  }

  /** @param {Entry} entry */
  #forget(entry) {
    this.#retire(entry);
    this.#all.delete(entry);
    if (entry.tree) this.#watch.remove(entry.tree);
  }

  /** @param {Entry} entry */
  async #shut(entry) {
    const browser = await entry.starting.catch(() => null);
    await browser?.close().catch(() => {});
    await (await entry.spare)?.close();
    this.#forget(entry);
  }
}

/**
 * @param {Entry} entry
 * @param {Tab} [tab]
 */
async function verdictOn({ tree, crashes }, tab) {
  const signal = tab?.crashed && crashes ? await crashes.signalOf(tab.target) : null;
  // The page wrote why it ended before it did, yet to another pipe: all that came is read first.
  await new Promise((resolve) => setImmediate(resolve));
  return tree?.claim(signal) ?? null;
}
