/** One article, from its URL to what is read of it. */

import { fetchFailed, IngestError, interrupted, tooMuchMemory } from "./errors.mjs";
import { extractArticle, titleFromUrl } from "./extract.mjs";
import { Refused } from "./guard.mjs";
import { LIMITS } from "./limits.mjs";
import { Standstill } from "./standstill.mjs";

/**
 * @import { Guard } from "./guard.mjs"
 * @import { PageLoad } from "./page-load.mjs"
 * @import { BrowserPool, Loan } from "./pool.mjs"
 * @import { Tab } from "./tab.mjs"
 * @typedef {(giveBack: Loan["giveBack"]) => void} Leave
 */

/**
 * Refuse what no browser is needed to refuse. Returns the URL as a browser writes it.
 * @param {string} text
 * @param {Guard} guard
 */
export function checkUrl(text, guard) {
  try {
    return guard.checkUrl(text).href;
  } catch (error) {
    throw error instanceof Refused ? fetchFailed(error.message) : error;
  }
}

/**
 * Fetch and read one article, in a tab of the pool that no other has been in. `leave` takes what is
 * still to be done when the outcome is known. Whatever came of a page around a standstill is not
 * trusted: its time was cut short, and it may have been read half loaded.
 * @param {BrowserPool} pool
 * @param {{url: string, timeoutMs?: number}} wanted
 * @param {Leave} leave
 */
export async function fetchArticle(pool, wanted, leave) {
  const standstill = new Standstill();
  try {
    const [outcome] = await Promise.allSettled([readInTurn(pool, wanted, leave)]);
    if (standstill.noticed) throw interrupted("Nexus stood still while it read this page");
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  } finally {
    standstill.stop();
  }
}

/**
 * An article that was ended for lack of memory, and may not be the one to blame, is read again in a
 * browser of its own.
 * @param {BrowserPool} pool
 * @param {{url: string, timeoutMs?: number}} wanted
 * @param {Leave} leave
 */
async function readInTurn(pool, { url, timeoutMs = LIMITS.timeoutMs }, leave) {
  const began = Date.now();
  const wanted = { url, timeoutMs: Math.min(timeoutMs, LIMITS.maxTimeoutMs) };
  try {
    return await attempt(pool, wanted, leave);
  } catch (error) {
    if (!(error instanceof Crowded)) throw error;
    await error.giveBack();
    // The caller waits no longer than for any other article.
    const deadline = began + wanted.timeoutMs;
    return attempt(pool, { ...wanted, deadline, alone: true }, leave);
  }
}

/** Ended for lack of memory, maybe because of others. */
class Crowded extends Error {
  /** @param {Loan | undefined} loan */
  constructor(loan) {
    super("crowded");
    this.giveBack = loan?.giveBack ?? (async () => {});
  }
}

/**
 * A page's time begins when its tab is there, unless it has had some already.
 * @param {BrowserPool} pool
 * @param {{url: string, timeoutMs: number, deadline?: number, alone?: boolean}} wanted
 * @param {Leave} leave
 */
async function attempt(pool, { url, timeoutMs, deadline, alone = false }, leave) {
  let loan;
  try {
    loan = await pool.borrowTab({ alone });
    const until = deadline ?? Date.now() + timeoutMs;
    const result = await readArticle(loan.tab, { url, deadline: until });
    leave(loan.giveBack);
    return result;
  } catch (error) {
    const verdict = loan ? await loan.overMemory() : error.overMemory;
    if (verdict === "crowded" && !alone) throw new Crowded(loan);
    if (loan) leave(loan.giveBack);
    if (verdict === "killed") throw interrupted("the browser stopped while it read this page");
    throw verdict ? tooMuchMemory() : error;
  }
}

/**
 * The same in a tab that is open already.
 * @param {Pick<Tab, "browser" | "load">} tab
 * @param {{url: string, deadline: number}} wanted
 */
export async function readArticle({ browser, load }, { url, deadline }) {
  try {
    return await load.run(url, { deadline, read: () => article(load, deadline) });
  } catch (error) {
    if (error instanceof IngestError) throw error;
    if (!browser.isConnected()) throw interrupted("the browser stopped while it read this page");
    throw fetchFailed("the page could not be read");
  }
}

/**
 * @param {PageLoad} load
 * @param {number} deadline
 */
async function article(load, deadline) {
  const finalUrl = load.address;
  const { title, content, base, metadata } = await extractArticle(load, deadline);
  return {
    final_url: finalUrl,
    base_url: /^https?:/.test(base) ? base : finalUrl,
    title: (title || titleFromUrl(finalUrl)).slice(0, LIMITS.titleChars),
    content_html: content,
    metadata,
  };
}
