/** The place where one article is read: a context of its own, with a proxy of its own. */

import { newContext } from "./browser.mjs";
import { Egress } from "./egress.mjs";
import { WORLD, watchScript } from "./extract.mjs";
import { LIMITS } from "./limits.mjs";
import { PageLoad } from "./page-load.mjs";

/**
 * @import { Browser, BrowserContext, Page } from "playwright-core"
 * @import { Guard } from "./guard.mjs"
 *
 * @typedef {object} Tab
 * @property {Browser} browser
 * @property {Page} page
 * @property {PageLoad} load
 * @property {() => Promise<unknown>} close
 * @property {string} target
 * @property {boolean} crashed
 */

/**
 * Open a tab no article has been in, ready to load one. Fails when the browser stops meanwhile.
 * @param {Browser} browser
 * @param {Guard} guard
 * @returns {Promise<Tab>}
 */
export async function openTab(browser, guard) {
  const egress = new Egress(guard);
  /** @type {BrowserContext | undefined} */
  let context;
  const close = () => Promise.allSettled([context?.close(), egress.close()]);
  const open = async () => {
    context = await newContext(browser, await egress.open());
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const load = new PageLoad(page, cdp, egress);
    const watch = { source: watchScript, worldName: WORLD };
    const [{ targetInfo }] = await Promise.all([
      cdp.send("Target.getTargetInfo"),
      load.prepare(),
      cdp.send("Page.addScriptToEvaluateOnNewDocument", watch),
    ]);
    const tab = { browser, page, load, close, target: targetInfo.targetId, crashed: false };
    page.once("crash", () => {
      tab.crashed = true;
    });
    return tab;
  };
  try {
    return await unlessItStops(browser, open());
  } catch (error) {
    close(); // of something half open it may never end
    throw error;
  }
}

/**
 * A tab for an article that is yet to come: its process has compiled what reading a page needs.
 * @param {Browser} browser
 * @param {Guard} guard
 */
export async function openWarmTab(browser, guard) {
  const tab = await openTab(browser, guard);
  try {
    await unlessItStops(browser, tab.load.warmUp());
    return tab;
  } catch (error) {
    tab.close();
    throw error;
  }
}

/**
 * Whether a tab that waited for its article can still be used. Only a reply from its own process
 * proves it: the report that the process died may still be on its way.
 * @param {Tab} tab
 */
export async function isAlive(tab) {
  try {
    await unlessItStops(
      tab.browser,
      tab.page.evaluate(() => true),
    );
  } catch {
    return false;
  }
  return !tab.crashed;
}

/**
 * Playwright never settles calls for a page that was half open when its browser stopped, or its
 * process.
 * @template T
 * @param {Browser} browser
 * @param {Promise<T>} work
 */
async function unlessItStops(browser, work) {
  work.catch(() => {});
  let stop = () => {};
  /** @type {Promise<never>} */
  const stopped = new Promise((_, reject) => {
    stop = () => reject(new Error("the browser stopped"));
  });
  browser.once("disconnected", stop);
  const timer = setTimeout(stop, LIMITS.openTabMs);
  try {
    return await Promise.race([work, stopped]);
  } finally {
    clearTimeout(timer);
    browser.off("disconnected", stop);
  }
}
