/** Reads pages given as text with the script that runs inside pages, in a real browser. */

import { libraryScript } from "../../src/extract.mjs";
import { LIMITS } from "../../src/limits.mjs";
import { launchDrivenBrowser } from "./driven-browser.mjs";
import { PATIENCE_MS } from "./patience.mjs";
import { blocksRun } from "./steps.mjs";

export const PAGE_URL = "https://www.site.example/a/page";

/** Counts the characters that are looked at: V8 does not see what one call makes the browser do. */
const COUNTING = `var looked = 0; {
  const { get, set } = Object.getOwnPropertyDescriptor(Node.prototype, "textContent");
  Object.defineProperty(Node.prototype, "textContent", {
    set,
    get() {
      const text = get.call(this);
      looked += text?.length ?? 0;
      return text;
    },
  });
}`;

/**
 * `{read(html), readAnyway(html, alter), stepsOf(html), close()}`; what a step complains about is an
 * error in `read`.
 */
export async function openReader({ url = PAGE_URL } = {}) {
  const browser = await launchDrivenBrowser();
  const { readAnyway } = await openPage(browser, url);
  const read = async (text) => {
    const found = await readAnyway(text);
    if (found.complaints?.length) throw new Error(found.complaints.join("\n"));
    return found;
  };
  // In a process of its own: V8 loses counts of code that was compiled for a page before.
  const stepsOf = async (text) => {
    const own = await openPage(browser, url);
    const session = await own.page.context().newCDPSession(own.page);
    await session.send("Profiler.enable");
    await session.send("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    await own.readAnyway(text, (script) => COUNTING + script);
    const { result } = await session.send("Profiler.takePreciseCoverage");
    const steps = blocksRun(result) + (await own.page.evaluate("looked"));
    await own.page.context().close();
    return steps;
  };
  return { read, readAnyway, stepsOf, close: () => browser.close() };
}

/** A page in a context of its own; `readAnyway(html, alter)` reads what it is given as text. */
async function openPage(browser, url) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  let html = "";
  await page.route("**/*", (route) =>
    route.request().isNavigationRequest() && route.request().frame() === page.mainFrame()
      ? route.fulfill({ contentType: "text/html; charset=utf-8", body: html })
      : route.abort(),
  );
  const readAnyway = async (text, alter = (script) => script) => {
    html = text;
    await page.goto(url, { waitUntil: "domcontentloaded" });
    return page.evaluate(`${alter(libraryScript)} nexus.extractArticle(${JSON.stringify(LIMITS)})`);
  };
  return { page, readAnyway };
}
