// The least that can be done to read an article: open a page, load it, run Readability in it.
// One JSON request per line, one JSON response per line. Run in node/ingest, for its packages.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const here = pathToFileURL(`${process.cwd()}/`);
const require = createRequire(here);
const { chromium } = require('playwright-core');
const { findBrowser } = await import(new URL('chromium-path.mjs', here).href);
const readability = readFileSync(require.resolve('@mozilla/readability/Readability.js'), 'utf8');

let browser;

async function start() {
  const { path, args, env } = await findBrowser();
  browser = await chromium.launch({
    executablePath: path,
    // Hosts that cannot be reached fail at once, and pictures are not loaded: as quick as can be.
    args: [
      ...args,
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      '--blink-settings=imagesEnabled=false',
      '--disable-remote-fonts',
    ],
    env: { ...process.env, ...env },
  });
}

async function load(url) {
  const context = await browser.newContext({ bypassCSP: true });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    return await page.evaluate(`(() => {${readability}
      return new Readability(document.cloneNode(true)).parse()?.content?.length ?? 0})()`);
  } finally {
    await context.close();
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { url, cold } = JSON.parse(line);
  if (cold) await browser?.close();
  const started = performance.now();
  if (cold) await start();
  const characters = await load(url);
  const ms = performance.now() - started;
  process.stdout.write(`${JSON.stringify({ ms, characters })}\n`);
}
await browser?.close();
