/** The place where one article is read: a context of its own, with a way out of its own. */

import { newContext } from './browser.mjs';
import { Egress } from './egress.mjs';
import { PageLoad } from './page-load.mjs';

/** Open a tab no article has been in, ready to load one. */
export async function openTab(browser, guard) {
  const egress = new Egress(guard);
  let context;
  const close = () => Promise.allSettled([context?.close(), egress.close()]);
  try {
    context = await newContext(browser, await egress.open());
    const page = await context.newPage();
    const load = new PageLoad(page, await context.newCDPSession(page), egress);
    await load.prepare();
    const tab = { browser, page, load, close, crashed: false };
    page.once('crash', () => {
      tab.crashed = true;
    });
    return tab;
  } catch (error) {
    await close();
    throw error;
  }
}
