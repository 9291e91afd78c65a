/** Reads pages given as text with the script that runs inside pages, in a real browser. */

import { libraryScript } from "../../src/extract.mjs";
import { LIMITS } from "../../src/limits.mjs";
import { launchDrivenBrowser } from "./driven-browser.mjs";

export const PAGE_URL = "https://www.site.example/a/page";

/** `{read(html), readAnyway(html, alter), close()}`; what a step complains about is an error in `read`. */
export async function openReader({ url = PAGE_URL } = {}) {
  const browser = await launchDrivenBrowser();
  const page = await browser.newPage();
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
  const read = async (text) => {
    const found = await readAnyway(text);
    if (found.complaints?.length) throw new Error(found.complaints.join("\n"));
    return found;
  };
  return { read, readAnyway, close: () => browser.close() };
}
