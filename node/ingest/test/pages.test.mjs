/**
 * Every kind of page, good and hostile, through the real serve mode and a real browser. Those that
 * take much of a machine are in `long/heavy-pages.test.mjs`.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { startServer } from "./support/extractor.mjs";
import { startSite } from "./support/site.mjs";

let site;
let extractor;

before(async () => {
  site = await startSite();
  extractor = startServer({ args: ["--concurrency", "4"] });
});
after(async () => {
  await extractor.stop();
  site.close();
});

const read = (path, timeoutMs) => extractor.read(site.url(path), timeoutMs);

describe("pages that are read", { concurrency: 4 }, () => {
  const FOUND = [
    ["a static page", "/article", "/article"],
    ["text inserted half a second after load", "/late", "/late"],
    ["text that waits for a request", "/late-fetch", "/late-fetch"],
    ["text beside a request that never ends", "/late-beside-hanging", "/late-beside-hanging"],
    ["a redirect chain", "/chain", "/article"],
    ["a meta refresh", "/meta-refresh", "/article"],
    ["a redirect by script", "/script-redirect", "/article"],
    ["a delayed redirect by script", "/late-redirect", "/article"],
    ["a page that reloads itself later", "/reload-later", "/reload-later"],
    ["a page with dialogs", "/one-alert", "/one-alert"],
    ["a page that opens windows by script", "/popups", "/popups"],
    ["a page that opens windows by links", "/popup-links", "/popup-links"],
    ["a page under Trusted Types", "/trusted", "/trusted"],
    ["a page hidden until a script shows it", "/all-hidden", "/all-hidden"],
    ["a page in a shadow tree", "/shadow", "/shadow"],
    ["a page that empties itself", "/empties-itself", "/empties-itself"],
    ["a page that removes most of its text", "/shortens-itself", "/shortens-itself"],
    ["a page that replaces its text by more", "/replaces-itself", "/replaces-itself"],
  ];
  for (const [what, path, end] of FOUND) {
    test(what, async () => {
      const { ok, result, message } = await read(path);
      assert.ok(ok, message);
      assert.equal(result.final_url, site.url(end));
      assert.equal(result.base_url, site.url(end));
      assert.match(result.content_html, /Part 0\. The harbour.*Part 11\. The harbour/s);
    });
  }

  test("a script that never arrives does not hold the text forever", async () => {
    const { ok, result, message } = await read("/blocked-by-script", 8_000);
    assert.ok(ok, message);
    assert.match(result.content_html, /Part 11/);
  });

  const TITLES = [
    ["/og", "The harbour, at dawn"],
    ["/article", "Harbour"],
    ["/untitled", "127.0.0.1/untitled"],
  ];
  for (const [path, title] of TITLES) {
    test(`the title of ${path}`, async () => assert.equal((await read(path)).result.title, title));
  }

  test("relative links follow the base element", async () => {
    const { result } = await read("/based");
    assert.equal(result.base_url, site.url("/elsewhere/"));
  });

  test("hidden text is left out, hidden images are not", async () => {
    const { result } = await read("/hidden");
    assert.doesNotMatch(result.content_html, /SECRET/);
    assert.match(result.content_html, /SHOWN-INSIDE/);
    assert.match(result.content_html, /lazy\.png/);
  });

  test("text that a script replaced is not read", async () => {
    assert.doesNotMatch((await read("/replaces-itself")).result.content_html, /old notice/);
  });

  test("slotted content and images for readers without scripts are kept", async () => {
    assert.match((await read("/shadow")).result.content_html, /SLOTTED/);
    assert.match((await read("/noscript")).result.content_html, /only\.png/);
  });

  test("an element keeps no more attributes than it can need", async () => {
    const { ok, result, message } = await read("/attributes");
    assert.ok(ok, message);
    assert.match(result.content_html, /Part 0\. The harbour/);
    assert.match(result.content_html, / a99=/);
    assert.doesNotMatch(result.content_html, / a200=/);
  });

  test("nothing heavy is downloaded, scripts are", async () => {
    assert.ok((await read("/heavy")).ok);
    assert.deepEqual([...new Set(site.hits("/hit/"))], ["/hit/script"]);
  });

  test("the user agent names itself", async () => {
    const { result } = await read("/agent");
    assert.match(
      result.content_html,
      /AGENT Mozilla\/5\.0 \(.*; NexusBot\/1\.0\).* Chrome\/\d+\.0\.0\.0 Safari\/[\d.]+ en-US none/,
    );
    assert.doesNotMatch(result.content_html, /Headless/);
  });

  test("articles share no cookies", async () => {
    await read("/cookie");
    assert.match((await read("/cookie")).result.content_html, /COOKIE none/);
  });
});

describe("pages that are not", { concurrency: 4 }, () => {
  /** @type {[string, string, RegExp][]} */
  const FAILED = [
    ["/404", "fetch_failed", /the site returned 404/],
    ["/403", "fetch_failed", /the site returned 403/],
    ["/500", "fetch_failed", /the site returned 500/],
    ["/pdf", "is_file", /not a web page but application\/pdf/],
    ["/image", "fetch_failed", /this is an image/],
    ["/json", "is_file", /not a web page but application\/json/],
    ["/download", "is_file", /file to download/],
    ["/unnamed", "is_file", /not a web page/],
    ["/pdf-as-html", "is_file", /not a web page/],
    ["/epub-as-html", "is_file", /not a web page/],
    ["/posted-pdf", "fetch_failed", /not a web page/],
    ["/nothing", "fetch_failed", /returned nothing/],
    ["/no-content", "fetch_failed", /returned nothing/],
    ["/blank", "readability_failed", /no article text found/],
    ["/robot-check", "readability_failed", /robot check/],
    ["/circle", "fetch_failed", /redirects in a circle/],
    ["/script-circle", "fetch_failed", /keeps redirecting/],
    ["/meta-circle", "fetch_failed", /keeps redirecting/],
    ["/to-nowhere", "fetch_failed", /could not be reached/],
    ["/popup-forms", "fetch_failed", /keeps opening windows/],
    ["/blob", "fetch_failed", /not a web page/],
    ["/more-than-announced", "readability_failed", /no article text found/],
    ["/deep", "readability_failed", /too deeply/],
  ];
  for (const [path, code, message] of FAILED) {
    test(path, async () => {
      const response = await read(path);
      assert.equal(response.ok, false, JSON.stringify(response.result));
      assert.match(response.message, message);
      assert.equal(response.code, code);
    });
  }

  test("windows do not hold up the pages that open them", async () => {
    const rounds = Array.from({ length: 3 }, (_, round) => read(`/popup-forms?${round}`));
    for (const { message } of await Promise.all(rounds)) {
      assert.match(message, /keeps opening windows/);
    }
  });

  test("a file has the address that served it", async () => {
    assert.equal((await read("/to-pdf")).url, site.url("/pdf"));
  });

  // None of them ever ends, nor does whatever waits for one.
  for (const path of ["/hang", "/drip", "/loop", "/alerts", "/less-than-announced"]) {
    test(`${path} runs into its time limit`, async () => {
      assert.equal((await read(path, 1_500)).code, "timeout");
    });
  }

  test("a page that starts to loop disturbs no other", async () => {
    const [looping, good] = await Promise.all([read("/late-loop", 2_000), read("/article")]);
    assert.ok(good.ok);
    assert.equal(looping.code, "timeout");
  });

  const INVALID = [
    "file:///etc/passwd",
    "view-source:http://127.0.0.1/",
    "data:text/html,x",
    "chrome://crash",
    "nonsense",
    "",
  ];
  for (const url of INVALID) {
    test(`refuses ${url || "an empty address"}`, async () => {
      assert.equal((await extractor.read(url)).code, "fetch_failed");
    });
  }
});

test("after all of them the next article is read", async () => {
  assert.ok((await read("/article")).ok);
});
