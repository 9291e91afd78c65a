/** The place where one article is read: a context of its own, with a proxy of its own. */

import { Egress } from "./egress.mjs";
import { LIMITS } from "./limits.mjs";
import { PageLoad } from "./page-load.mjs";
import { limitAwake } from "./standstill.mjs";

/**
 * @import { Browser } from "./browser-process.mjs"
 * @import { Guard } from "./guard.mjs"
 * @import { Page } from "./page.mjs"
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
  /** @type {Page | undefined} */
  let page;
  const close = () => Promise.allSettled([page?.close(), egress.close()]);
  const open = async () => {
    page = await browser.pages.open(await egress.open());
    const load = new PageLoad(page, egress);
    const tab = { browser, page, load, close, target: page.target, crashed: false };
    page.session.on("Inspector.targetCrashed", () => {
      tab.crashed = true;
    });
    await load.prepare();
    return tab;
  };
  try {
    return await soon(open());
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
    await soon(tab.load.warmUp());
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
    await soon(tab.page.session.send("Runtime.evaluate", { expression: "true" }));
  } catch {
    return false;
  }
  return !tab.crashed;
}

/**
 * Fails what takes longer than opening a tab ever does. A machine that stood still meanwhile is no
 * reason to give up a tab.
 * @template T
 * @param {Promise<T>} work
 */
async function soon(work) {
  work.catch(() => {});
  let stop = () => {};
  /** @type {Promise<never>} */
  const late = new Promise((_, reject) => {
    stop = limitAwake(LIMITS.openTabMs, () => reject(new Error("the browser does not respond")));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stop();
  }
}
