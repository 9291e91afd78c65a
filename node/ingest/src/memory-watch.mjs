/**
 * Keeps all browsers of this process below one limit: looks at what they hold many times a second,
 * and ends the page that grew, then the browser. What a page can take between two looks is bounded
 * by the limits each of its processes was started with (`browser-limits.sh`).
 */

import { BrowserTree } from "./browser-tree.mjs";
import { LIMITS } from "./limits.mjs";

export class MemoryWatch {
  #limit;
  /** @type {Set<BrowserTree>} */
  #trees = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {number} limitBytes */
  constructor(limitBytes) {
    this.#limit = limitBytes;
  }

  /**
   * Watch a browser, in which `articles()` pages are being read, until it is removed.
   * @param {number} pid
   * @param {() => number} articles
   */
  add(pid, articles) {
    const tree = new BrowserTree(pid, articles);
    this.#trees.add(tree);
    this.#timer ??= setInterval(() => this.look(), LIMITS.memoryLookMs).unref();
    return tree;
  }

  /** @param {BrowserTree} tree */
  remove(tree) {
    this.#trees.delete(tree);
    if (this.#trees.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  look() {
    const trees = [...this.#trees];
    const sizes = new Map(trees.map((tree) => [tree, tree.measure()]));
    if (sum(sizes) <= this.#limit) return;
    for (const tree of trees) sizes.set(tree, tree.measureExactly());
    if (sum(sizes) <= this.#limit) return;
    const [largest] = [...sizes].sort(([, a], [, b]) => b - a)[0];
    largest.relieve(this.#limit);
  }
}

/** @param {Map<BrowserTree, number>} sizes */
const sum = (sizes) => [...sizes.values()].reduce((total, size) => total + size, 0);
