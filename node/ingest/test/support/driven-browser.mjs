/** The browser that articles are read in, driven by Playwright: for what only tests do with a page. */

import { chromium } from "playwright-core";

import { findBrowser } from "../../chromium-path.mjs";
import { FLAGS } from "../../src/browser.mjs";
import { PATIENCE_MS } from "./patience.mjs";

export async function launchDrivenBrowser() {
  const { path, args, env } = await findBrowser();
  return chromium.launch({
    executablePath: path,
    timeout: PATIENCE_MS,
    chromiumSandbox: true, // findBrowser adds --no-sandbox where there is no other way
    args: [...args, ...FLAGS],
    env: { ...process.env, ...env },
  });
}
