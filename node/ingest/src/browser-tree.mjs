/** The processes of one browser: what they hold, and ending the one that holds too much. */

import { below, childrenOf, held, kill, kindOf, share } from "./processes.mjs";

/** @typedef {"guilty" | "crowded" | "killed"} Verdict */

const MiB = 1024 * 1024;
const RENEW_EVERY = 20; // looks; helpers come and go rarely, pages all the time
// A page that ended itself after it was last seen at this size met a limit: half of that of its own
// heap (`browser.mjs`), because it grows by much between two looks.
const HEAP_END_BYTES = 256 * MiB;
const CLAIM_MS = 10_000; // more than a machine that stands still for a moment
const KILLED = 9;
const STACK_OVERFLOW = 11;

/**
 * A verdict is `guilty` when a page alone needed too much, and `crowded` when it may have been its
 * neighbours: it deserves another try, alone. `killed` is a page that somebody else ended.
 */
export class BrowserTree {
  pid;
  #articles;
  #looks = 0;
  /** @type {Map<number, {kind: string, own: number}>} */
  #processes = new Map(); // pid → {kind, own}
  /** @type {Set<number>} */
  #dying = new Set();
  /** @type {{verdict: Verdict, killed: boolean, at: number}[]} */
  #ended = []; // verdicts on pages that are gone, until their tab asks: {verdict, killed, at}
  /** @type {Verdict | null} */
  #verdict = null; // on all of them, when the browser itself was ended

  /**
   * `articles()` is how many pages are being read in it.
   * @param {number} pid
   * @param {() => number} articles
   */
  constructor(pid, articles) {
    this.pid = pid;
    this.#articles = articles;
  }

  /** Bytes in use: at least as much as there is, and quick to find out. */
  measure() {
    this.#renew();
    let most = 0;
    let sum = 0;
    for (const [pid, process] of this.#processes) {
      const { own, file } = held(pid);
      if (own === 0) this.#forget(pid, process);
      process.own = own;
      if (this.#dying.has(pid)) continue;
      sum += own;
      most = Math.max(most, file);
    }
    return sum + most;
  }

  /** The same to the byte, where the system tells. Takes milliseconds. */
  measureExactly() {
    const living = [...this.#processes].filter(([pid]) => !this.#dying.has(pid));
    let sum = 0;
    for (const [pid, process] of living) {
      process.own = Math.max(process.own, held(pid).own); // it grew meanwhile
      sum += share(pid) ?? process.own;
    }
    return sum;
  }

  /**
   * End the page that stands out, or the browser when none does.
   * @param {number} limit
   */
  relieve(limit) {
    const pages = [...this.#processes].filter(
      ([pid, { kind }]) => kind === "renderer" && !this.#dying.has(pid),
    );
    const [most] = pages.sort(([, a], [, b]) => b.own - a.own);
    if (!most || most[1].own < limit / 4) return this.end();
    const [pid, largest] = most;
    const alone = largest.own >= limit / 2 || this.#articles() <= 1;
    this.#ended.push({ verdict: alone ? "guilty" : "crowded", killed: true, at: Date.now() });
    this.#dying.add(pid);
    return kill(pid);
  }

  /** End all of it. */
  end() {
    this.#verdict = this.#articles() <= 1 ? "guilty" : "crowded";
    for (const pid of [this.pid, ...this.#processes.keys()]) kill(pid);
  }

  /** A page says that its own heap is full, and ends itself. No look at it need have seen it grow. */
  noteOutOfHeap() {
    this.#ended.push({ verdict: "guilty", killed: false, at: Date.now() });
  }

  /**
   * For an article that failed, and the signal that ended its page, if one did: whether that was
   * about memory, and whose, or none of the page's doing. Null when it was its own end.
   * @param {number | null} signal
   */
  claim(signal) {
    // Only a page that is gone asks for more: the verdict may be about a neighbour.
    if (this.#verdict || signal === null || signal === STACK_OVERFLOW) return this.#verdict;
    this.measure();
    this.#ended = this.#ended.filter(({ at }) => at >= Date.now() - CLAIM_MS);
    const killed = signal === KILLED && this.#ended.some((one) => one.killed);
    const possible = this.#ended.filter((one) => one.killed === killed);
    const first = possible[0];
    // Which of several was this page's is not known: where they differ, each gets another try.
    if (possible.some(({ verdict }) => verdict !== first.verdict)) {
      for (const one of possible) one.verdict = "crowded";
    }
    this.#ended = this.#ended.filter((one) => one !== first);
    return first?.verdict ?? (signal === KILLED ? "killed" : null);
  }

  /** Pages are started by zygotes; everything else is looked for now and then. */
  #renew() {
    const all = this.#looks % RENEW_EVERY === 0;
    this.#looks += 1;
    const zygotes = [...this.#processes].filter(([, { kind }]) => kind === "zygote");
    // A page is called so a moment after it was started.
    for (const [pid, process] of zygotes) process.kind = kindOf(pid);
    const found = all
      ? [this.pid, ...below(this.pid)]
      : zygotes.flatMap(([pid]) => childrenOf(pid));
    for (const pid of found) {
      if (!this.#processes.has(pid)) this.#processes.set(pid, { kind: kindOf(pid), own: 0 });
    }
  }

  /**
   * @param {number} pid
   * @param {{kind: string, own: number}} process
   */
  #forget(pid, { kind, own }) {
    this.#processes.delete(pid);
    const known = this.#dying.delete(pid);
    if (kind === "renderer" && own >= HEAP_END_BYTES && !known) {
      this.#ended.push({ verdict: "guilty", killed: false, at: Date.now() });
    }
  }
}
