/** The protocol of the one-shot mode. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { runOnce } from "./support/extractor.mjs";
import { startSite } from "./support/site.mjs";

let site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

describe("one article per process", { concurrency: 2 }, () => {
  test("returns the article", async () => {
    const { code, stdout, stderr } = await runOnce({ url: site.url("/chain"), timeout_ms: 30_000 });
    assert.equal(code, 0, stderr);
    const article = JSON.parse(stdout);
    assert.deepEqual(Object.keys(article), [
      "final_url",
      "base_url",
      "title",
      "content_html",
      "metadata",
    ]);
    assert.equal(article.final_url, site.url("/article"));
    assert.equal(article.title, "Harbour");
    assert.match(article.content_html, /Part 11/);
  });

  /** @type {[string, string, number, string][]} */
  const FAILURES = [
    ["a page that hangs", "/hang", 10, "took too long"],
    ["an error of the site", "/404", 11, "the site returned 404"],
    ["a page without text", "/blank", 12, "no article text found"],
  ];
  for (const [what, path, expected, reason] of FAILURES) {
    test(`exits ${expected} for ${what}`, async () => {
      const { code, stdout, stderr } = await runOnce({ url: site.url(path), timeout_ms: 2_000 });
      assert.equal(code, expected);
      assert.equal(stdout, "");
      assert.ok(stderr.trimEnd().split("\n").at(-1).includes(reason), stderr);
    });
  }

  /** @type {[string, () => string, RegExp][]} */
  const REFUSED = [
    ["a private address", () => JSON.stringify({ url: site.url("/article") }), /not public/],
    ["no JSON", () => "nonsense", /not valid JSON/],
    ["no url", () => '{"timeout_ms": 5}', /no url/],
    ["no duration", () => '{"url": "http://example.org", "timeout_ms": -1}', /not a duration/],
  ];
  for (const [what, input, reason] of REFUSED) {
    test(`exits 11 for ${what}`, async () => {
      const { code, stderr } = await runOnce(input(), { NEXUS_ENV: "local" });
      assert.equal(code, 11);
      assert.match(stderr, reason);
    });
  }

  test("a listed host is fetched outside the test environment", async () => {
    const env = { NEXUS_ENV: "local", NEXUS_ALLOW_PRIVATE_HOSTS: `127.0.0.1:${site.port}` };
    assert.equal((await runOnce({ url: site.url("/article") }, env)).code, 0);
  });
});
