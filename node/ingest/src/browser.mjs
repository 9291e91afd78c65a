/** One browser process: how it is started, and the isolated context each article gets. */

import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { findBrowser } from "../chromium-path.mjs";
import { makeCgroup } from "./cgroup.mjs";
import { Crashes } from "./crashes.mjs";
import { Egress } from "./egress.mjs";
import { fetchFailed, interrupted } from "./errors.mjs";
import { Guard } from "./guard.mjs";
import { LIMITS } from "./limits.mjs";

/** @import { Browser, CDPSession } from "playwright-core" */

const FLAGS = [
  // Nothing leaves but through the proxy, and names are resolved there.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-quic",
  "--dns-prefetch-disable",
  "--no-pings",
  "--disable-domain-reliability",
  // Images are not asked for at all: a failed one would run the page's error handlers.
  "--blink-settings=imagesEnabled=false",
  "--disable-remote-fonts",
  "--window-size=1280,1600",
  // Laid out as on any screen, painted with a hundredth of its pixels: nobody looks at it.
  "--force-device-scale-factor=0.1",
  "--mute-audio",
  // Objects of scripts; what they keep beside these is watched (`memory-watch.mjs`).
  // A pattern is used a few times in a page's life: compiled at once, not first for an interpreter.
  "--js-flags=--max-old-space-size=512 --no-regexp-tier-up",
];

const LIMITED = fileURLToPath(new URL("./browser-limits.sh", import.meta.url));
// What a page's process maps without ever using it: room for compiled code, stacks.
const UNUSED_BYTES = 768 * 1024 * 1024;
// Above what the watch allows, so that a page that wants too much fails instead of half working.
const HARD_SHARE = 2;

/** @type {ReturnType<typeof findBrowser> | undefined} */
let known;

/** Looked for once, and again after a failure: it may have been replaced by another. */
function knownBrowser() {
  known ??= findBrowser();
  known.catch(() => {
    known = undefined;
  });
  return known;
}

/**
 * Start a browser whose default proxy leads nowhere: only contexts have one that responds.
 * It and everything below it may take `memoryBytes`. Returns `{browser, pid, crashes}`.
 */
export async function launchBrowser({ memoryBytes = LIMITS.browserMemoryBytes } = {}) {
  const { path, args, env } = await knownBrowser().catch((error) => {
    throw fetchFailed(error.message);
  });
  const nowhere = new Egress(new Guard());
  const server = await nowhere.open();
  nowhere.cutOff();
  const cgroup = makeCgroup(memoryBytes);
  const clean = () => nowhere.close().then(cgroup.remove);
  try {
    const browser = await chromium.launch({
      executablePath: LIMITED,
      chromiumSandbox: true, // findBrowser adds --no-sandbox where there is no other way
      args: [...args, ...FLAGS],
      env: environment(env, { path, memoryBytes, cgroup }),
      proxy: { server },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 15_000,
    });
    browser.on("disconnected", clean);
    const session = await browser.newBrowserCDPSession();
    const crashes = new Crashes();
    await crashes.listen(session);
    return { browser, pid: await processOf(session), crashes };
  } catch (error) {
    known = undefined;
    await clean();
    throw launchProblem(error.message);
  }
}

/**
 * @param {Record<string, string>} extra
 * @param {{path: string, memoryBytes: number, cgroup: {path: string}}} limits
 * @returns {NodeJS.ProcessEnv}
 */
function environment(extra, { path, memoryBytes, cgroup }) {
  const limits = {
    NEXUS_BROWSER_PROGRAM: path,
    NEXUS_BROWSER_DATA_KIB: String(Math.ceil((memoryBytes * HARD_SHARE + UNUSED_BYTES) / 1024)),
    NEXUS_BROWSER_CGROUP: cgroup.path,
  };
  const { PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK: _, ...inherited } = process.env;
  return { ...inherited, ...extra, ...limits };
}

/** @param {CDPSession} session */
async function processOf(session) {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const own = processInfo.find(({ type }) => type === "browser");
  if (!own) throw new Error("the browser does not report its process");
  return own.id;
}

/** @param {string} text */
function launchProblem(text) {
  if (/No usable sandbox/i.test(text)) {
    return fetchFailed(
      "the browser could not start: this system forbids the sandbox it needs " +
        "(allow unprivileged user namespaces, or set NEXUS_CHROMIUM to an installed Chrome)",
    );
  }
  return interrupted(`the browser could not start: ${text.split("\n")[0]}`);
}

/**
 * A context no other article has touched or will.
 * @param {Browser} browser
 * @param {string} proxyServer
 */
export async function newContext(browser, proxyServer) {
  const major = browser.version().split(".")[0];
  const context = await browser.newContext({
    proxy: { server: proxyServer },
    userAgent:
      "Mozilla/5.0 (X11; Linux x86_64; compatible; NexusBot/1.0) " +
      "AppleWebKit/537.36 (KHTML, like Gecko) " +
      `Chrome/${major}.0.0.0 Safari/537.36`,
    serviceWorkers: "block",
    acceptDownloads: false,
    locale: "en-US",
    viewport: null, // the window's own size: setting another costs a layout
    reducedMotion: "reduce",
    // Trusted Types would forbid Readability to work on its own copy of the page.
    bypassCSP: true,
  });
  await context.addInitScript(() => {
    window.open = () => null;
  });
  return context;
}
