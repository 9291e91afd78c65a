/** How a browser is started: what it may not do, and what it may take. */

import { fileURLToPath } from "node:url";

import { findBrowser } from "../chromium-path.mjs";
import { Browser } from "./browser-process.mjs";
import { makeCgroup } from "./cgroup.mjs";
import { Crashes } from "./crashes.mjs";
import { Egress } from "./egress.mjs";
import { fetchFailed, interrupted } from "./errors.mjs";
import { Guard } from "./guard.mjs";
import { LIMITS } from "./limits.mjs";
import { NO_EXCEPTION } from "./page.mjs";

/** @import { Session } from "./devtools.mjs" */

export const FLAGS = [
  "--headless",
  // Nothing of its own accord: no updates, no accounts, no experiments, no reports.
  "--disable-field-trial-config",
  "--disable-background-networking",
  "--disable-breakpad",
  "--disable-component-update",
  "--disable-component-extensions-with-background-pages",
  "--disable-default-apps",
  "--disable-extensions",
  "--disable-sync",
  "--disable-search-engine-choice-screen",
  "--disable-stack-profiler",
  "--metrics-recording-only",
  "--no-default-browser-check",
  "--no-first-run",
  "--no-service-autorun",
  "--password-store=basic",
  "--use-mock-keychain",
  `--disable-features=${[
    "HttpsUpgrades", // an address is fetched as it is written
    "HttpsFirstBalancedModeAutoEnable",
    "AvoidCorsURLLoaderRestartOnRedirect", // fails redirects of what is intercepted
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
  ]}`,
  // A page that nobody looks at is as busy as any other, and nobody is asked about it.
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  "--disable-back-forward-cache",
  "--disable-hang-monitor",
  "--disable-ipc-flooding-protection",
  "--disable-popup-blocking", // they are counted, and closed
  "--disable-prompt-on-repost",
  "--disable-dev-shm-usage",
  "--use-gl=disabled", // nothing is drawn, and it would be tried four times
  "--force-color-profile=srgb",
  "--hide-scrollbars",
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
  const proxy = await nowhere.open();
  nowhere.cutOff();
  const cgroup = makeCgroup(memoryBytes);
  const browser = new Browser(LIMITED, {
    args: [...args, ...FLAGS, `--proxy-server=${proxy}`, `--proxy-bypass-list=${NO_EXCEPTION}`],
    env: environment(env, { path, memoryBytes, cgroup }),
  });
  browser.stopped.then(() => nowhere.close()).then(cgroup.remove);
  try {
    const crashes = new Crashes();
    const asked = Promise.all([processOf(browser.root), crashes.listen(browser.root)]);
    asked.catch(() => {}); // a browser that does not start says why here:
    await browser.started();
    const [pid] = await asked;
    return { browser, pid, crashes };
  } catch (error) {
    known = undefined;
    await browser.close();
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
  return { ...process.env, ...extra, ...limits };
}

/** @param {Session} session */
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
