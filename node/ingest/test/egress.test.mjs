/**
 * Nothing private can be reached. A page tries every escape that a browser has towards a canary on
 * loopback; the canary counts. The same page with the canary listed shows that it would notice.
 * All of it twice: with the guard here, and with the guard behind a gateway elsewhere.
 */

import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";

import { chromium } from "playwright-core";

import { findBrowser } from "../chromium-path.mjs";
import { readArticle } from "../src/article.mjs";
import { launchBrowser } from "../src/browser.mjs";
import { EgressGateway, openEgressGateway } from "../src/egress-gateway.mjs";
import { Guard } from "../src/guard.mjs";
import { LIMITS } from "../src/limits.mjs";
import { openTab } from "../src/tab.mjs";
import { listenOnLoopback } from "./support/loopback.mjs";
import { until } from "./support/patience.mjs";
import { BODY, startSite } from "./support/site.mjs";

let browser;
let canary;
let site;

before(async () => {
  [{ browser }, canary] = await Promise.all([launchBrowser(), startCanary()]);
  site = await startSite(attackPages(canary));
});
after(async () => {
  await browser.close();
  site.close();
  canary.close();
});

/** A web server and a UDP socket that only count. */
async function startCanary() {
  const hits = [];
  const web = createServer((request, response) => {
    hits.push(request.url);
    response.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" });
    response.end(BODY);
  });
  web.on("upgrade", (request, socket) => {
    hits.push(request.url);
    socket.destroy();
  });
  web.on("connection", () => hits.push("a connection"));
  const udp = createSocket("udp4", () => hits.push("/udp"));
  const port = await listenOnLoopback(web);
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  return {
    hits,
    port,
    udpPort: udp.address().port,
    close: () => {
      web.close();
      web.closeAllConnections();
      udp.close();
    },
  };
}

function attackPages({ port, udpPort }) {
  const html = (text) => (_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(text);
  };
  const pages = {};
  const hosts = {
    address: "127.0.0.1",
    decimal: "2130706433",
    short: "127.1",
    mapped: "[::ffff:127.0.0.1]",
    name: "inside.example",
  };
  for (const [kind, host] of Object.entries(hosts)) {
    const base = `http://${host}:${port}`;
    pages[`/to/${kind}`] = (_request, response) =>
      response.writeHead(302, { location: `${base}/redirect` }).end();
    pages[`/tls/${kind}`] = (_request, response) =>
      response.writeHead(302, { location: `https://${host}:${port}/tls` }).end();
    pages[`/meta/${kind}`] = html(`<meta http-equiv="refresh" content="0;url=${base}/meta">`);
    pages[`/script/${kind}`] = html(`<script>location.href = '${base}/location'</script>`);
    pages[`/all/${kind}`] = html(everyEscape(base, `${host}:${port}`, `${host}:${udpPort}`));
  }
  return pages;
}

function everyEscape(base, host, udpHost) {
  return `<!doctype html><head><title>Escapes</title>
    <link rel="dns-prefetch" href="${base}"><link rel="preconnect" href="${base}">
    <link rel="prefetch" href="${base}/prefetch"><link rel="preload" as="script" href="${base}/preload">
    <link rel="modulepreload" href="${base}/modulepreload"><link rel="stylesheet" href="${base}/style">
    <link rel="icon" href="${base}/icon"><link rel="manifest" href="${base}/manifest">
    <script type="speculationrules">{"prefetch": [{"source": "list", "urls": ["${base}/speculation"]}]}</script></head>
    <body>${BODY}<img src="${base}/img"><iframe src="${base}/frame"></iframe><object data="${base}/object"></object>
    <embed src="${base}/embed"><video src="${base}/video" autoplay></video><script src="${base}/script"></script>
    <form id="f" target="_blank" method="post" action="${base}/form"></form><a id="a" target="_blank" href="${base}/window">x</a>
    <script>
      const quiet = (run) => { try { run(); } catch {} };
      quiet(() => fetch('${base}/fetch', { mode: 'no-cors' }).catch(() => {}));
      quiet(() => { const x = new XMLHttpRequest(); x.open('GET', '${base}/xhr'); x.send(); });
      quiet(() => navigator.sendBeacon('${base}/beacon', 'x'));
      quiet(() => new EventSource('${base}/events'));
      quiet(() => new WebSocket('ws://${host}/socket'));
      quiet(() => new Worker(URL.createObjectURL(new Blob(["importScripts('${base}/worker')"]))));
      quiet(() => navigator.serviceWorker.register('${base}/service'));
      quiet(() => import('${base}/module').catch(() => {}));
      quiet(() => f.submit());
      quiet(() => a.click());
      for (const scheme of ['stun', 'turn']) for (const way of ['', '?transport=tcp']) quiet(() => {
        if (scheme === 'stun' && way) return;
        const peer = new RTCPeerConnection({ iceServers: [{
          urls: scheme + ':${udpHost}' + way, username: 'u', credential: 'p' }] });
        peer.createDataChannel('x');
        peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      });
    </script>`;
}

const HOSTS = "127.0.0.1,[::ffff:127.0.0.1],inside.example";
const inside = async () => ["127.0.0.1"];
const siteOnly = (resolve = inside) =>
  new Guard({
    allow: `127.0.0.1:${site.port}`,
    resolve,
    ports: [80, 443, canary.port, canary.udpPort],
  });

async function read(path, guard) {
  const tab = await openTab(browser, guard);
  const deadline = Date.now() + LIMITS.maxTimeoutMs;
  return readArticle(tab, { url: site.url(path), deadline }).finally(tab.close);
}

/** As a browser on an internal network reads it: here all is allowed, the guard is elsewhere. */
async function readThroughGateway(path, guard) {
  const running = await openEgressGateway({ guard, host: "127.0.0.1", port: 0 });
  const gateway = new EgressGateway(`http://127.0.0.1:${running.port}`);
  return read(path, new Guard({ allow: HOSTS, gateway })).finally(running.stop);
}

// The spellings of an address are the guard's business, which is the same in both places.
const PLACES = [
  { place: "here", reading: read, kinds: ["address", "decimal", "short", "mapped", "name"] },
  { place: "elsewhere", reading: readThroughGateway, kinds: ["mapped", "name"] },
];

for (const { place, reading, kinds } of PLACES) {
  describe(`with the guard ${place}, a canary on loopback`, { concurrency: 3 }, () => {
    for (const kind of kinds) {
      for (const way of ["to", "tls", "meta", "script"]) {
        test(`is not reached by a redirect (${way}) to its ${kind}`, async () => {
          await assert.rejects(reading(`/${way}/${kind}`, siteOnly()), {
            code: "fetch_failed",
            message: /this address is not public/,
          });
        });
      }
      test(`is not reached from within a page by its ${kind}`, async () => {
        const article = await reading(`/all/${kind}`, siteOnly());
        assert.match(article.content_html, /Part 11/);
      });
    }

    test("is not reached by a name whose address changes", async () => {
      let asked = 0;
      const changing = async () => {
        asked += 1;
        return asked === 1 ? ["198.41.0.4"] : ["127.0.0.1"];
      };
      await reading("/all/name", siteOnly(changing)).catch(() => {});
      assert.ok(asked >= 1);
    });
  });

  test(`the canary has not been touched by pages with the guard ${place}`, () => {
    assert.deepEqual(canary.hits, []);
  });

  test(`the canary would have noticed with the guard ${place}`, async () => {
    const listed = new Guard({ allow: HOSTS, resolve: inside });
    await reading("/all/address", listed).catch(() => {});
    const seen = new Set(canary.hits.splice(0));
    for (const path of [
      "/style",
      "/script",
      "/fetch",
      "/xhr",
      "/beacon",
      "/events",
      "/socket",
      "/worker",
      "/module",
    ]) {
      assert.ok(seen.has(path), `${path} not among ${[...seen]}`);
    }
    const { final_url: arrived } = await reading("/to/address", listed);
    assert.equal(arrived, `http://127.0.0.1:${canary.port}/redirect`);
    canary.hits.length = 0;
  });
}

test("WebRTC would have been noticed too", async () => {
  const { path, args } = await findBrowser();
  const bare = await chromium.launch({ executablePath: path, args, chromiumSandbox: true });
  try {
    const page = await bare.newPage();
    await page.goto(site.url("/all/address"), { waitUntil: "commit" });
    await until(() => canary.hits.includes("/udp"), "the canary is touched");
  } finally {
    await bare.close();
  }
});
