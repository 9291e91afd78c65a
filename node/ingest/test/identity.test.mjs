/** An article is filed under the address that served the page, whatever the page says. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { launchBrowser } from "../src/browser.mjs";
import { Guard } from "../src/guard.mjs";
import { LIMITS } from "../src/limits.mjs";
import { openTab } from "../src/tab.mjs";
import { startServer } from "./support/extractor.mjs";
import { until } from "./support/patience.mjs";
import { BODY, startSite } from "./support/site.mjs";

const html =
  (head, text = "forged") =>
  (_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    const link = '<a href="next">on</a><img src="boat.png" alt="boat">';
    response.end(
      `<!doctype html><head>${head}</head><article><h1>${text}</h1>${BODY}<p>${link}</p></article>`,
    );
  };
const script = (code) => html(`<script>${code}</script>`);
const onload = (code) =>
  script(`addEventListener('load', () => setTimeout(() => { ${code} }, 50))`);
const redirect = (status, location) => (_request, response) => {
  response.writeHead(status, { location });
  response.end();
};
const form =
  'const f = document.createElement("form"); f.method = "post"; f.action = "ACTION"; document.documentElement.append(f); f.submit();';

// Without its script the next document does not replace itself as well, and so on without end.
const ONCE = "document.querySelector('script').remove();";

const PAGES = {
  "/genuine": html("<title>G</title>", "genuine"),
  "/replace": script("history.replaceState(null, '', '/genuine')"),
  "/push": onload("history.pushState(null, '', '/genuine')"),
  "/hash": onload("location.hash = '#/genuine'"),
  "/open": onload(
    "history.replaceState(null, '', '/genuine'); const kept = document.documentElement.outerHTML; document.open(); document.write(kept); document.close()",
  ),
  "/javascript-url": onload(
    `history.replaceState(null, '', '/genuine'); ${ONCE} location = 'javascript:document.documentElement.outerHTML'`,
  ),
  "/canonical": html(
    '<link rel="canonical" href="/genuine"><meta property="og:url" content="/genuine">',
  ),
  "/base": html('<base href="/genuine/">'),
  "/form": onload(form.replace("ACTION", "/echo")),
  "/echo": html("", "whatever was sent"),
  "/form-then-page": onload(form.replace("ACTION", "/see-other")),
  "/see-other": redirect(303, "/genuine"),
  "/worker-made":
    script(`navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)
    .then(() => { location = '/genuine?worker'; }, () => {})`),
  "/worker.js": (_request, response) => {
    response.setHeader("content-type", "text/javascript");
    const forged = JSON.stringify(`<article><h1>forged</h1>${BODY}</article>`);
    response.end(`onactivate = (e) => e.waitUntil(clients.claim());
      onfetch = (e) => e.respondWith(new Response(${forged}, { headers: { 'content-type': 'text/html' } }))`);
  },
  "/reload": script(
    "if (location.pathname !== '/genuine') { history.replaceState(null, '', '/genuine'); location.reload(); }",
  ),
  "/meta": html('<meta http-equiv="refresh" content="0;url=/genuine">'),
  "/header": (request, response) => {
    response.setHeader("refresh", "0;url=/genuine");
    html("")(request, response);
  },
  "/assign": onload("location.assign('/genuine')"),
  "/301": redirect(301, "/302"),
  "/302": redirect(302, "/307"),
  "/307": redirect(307, "/308"),
  "/308": redirect(308, "/genuine"),
  "/redirected-then-claims": redirect(302, "/replace"),
};

let site;
let extractor;
before(async () => {
  site = await startSite(PAGES);
  extractor = startServer();
});
after(async () => {
  await extractor.stop();
  site.close();
});

describe("what a page says of itself is not where it is filed", { concurrency: 4 }, () => {
  const CLAIMS = [
    "/replace",
    "/push",
    "/hash",
    "/open",
    "/javascript-url",
    "/canonical",
    "/base",
    "/form",
    "/worker-made",
  ];
  for (const path of CLAIMS) {
    test(path, async () => {
      const { ok, result, message } = await extractor.read(site.url(path));
      assert.ok(ok, message);
      assert.equal(result.final_url, site.url(path));
      assert.match(result.content_html, /Part 11/);
    });
  }

  test("a page reached by a redirect is filed where it was served", async () => {
    const { result } = await extractor.read(site.url("/redirected-then-claims"));
    assert.equal(result.final_url, site.url("/replace"));
  });
});

describe("real navigations are followed", { concurrency: 4 }, () => {
  for (const path of ["/reload", "/meta", "/header", "/assign", "/301", "/form-then-page"]) {
    test(path, async () => {
      const { ok, result, message } = await extractor.read(site.url(path));
      assert.ok(ok, message);
      assert.equal(result.final_url, site.url("/genuine"));
      assert.match(result.content_html, /Part 11/);
    });
  }
});

describe("links and images follow the base of the document", () => {
  const BASES = [
    ["/base", "/genuine/"],
    ["/canonical", "/canonical"],
    ["/301", "/genuine"],
  ];
  for (const [path, base] of BASES) {
    test(path, async () =>
      assert.equal((await extractor.read(site.url(path))).result.base_url, site.url(base)),
    );
  }
});

test("a page that moves on while it is read is read where it then is", async () => {
  const { browser } = await launchBrowser({ memoryBytes: LIMITS.browserMemoryBytes });
  const tab = await openTab(browser, new Guard({ allow: "127.0.0.1" }));
  const { load } = tab;
  const deadline = Date.now() + LIMITS.maxTimeoutMs;
  let reads = 0;
  try {
    const read = async () => {
      reads += 1;
      if (reads > 1) return load.address;
      await load.read("void (location = '/genuine')", deadline);
      await until(() => load.address === site.url("/genuine"), "the other document comes");
      throw new Error("its context is gone");
    };
    assert.equal(await load.run(site.url("/canonical"), { deadline, read }), site.url("/genuine"));
    assert.equal(reads, 2);
  } finally {
    await tab.close();
    await browser.close();
  }
});
