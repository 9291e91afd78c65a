/** Pages that are more than a machine takes easily, each given up for its reason. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { startServer } from "../support/extractor.mjs";
import { startSite } from "../support/site.mjs";

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

/** @type {[string, string, RegExp][]} */
const FAILED = [
  ["/large", "is_file", /too large/],
  ["/endless", "is_file", /too large/],
  ["/bomb", "is_file", /too large/],
  ["/nodes", "readability_failed", /too large/],
  ["/deep-script", "fetch_failed", /crashed/],
  ["/memory", "too_much_memory", /^This page needs too much memory$/],
];
for (const [path, code, message] of FAILED) {
  test(path, async () => {
    const response = await extractor.read(site.url(path));
    assert.equal(response.ok, false, JSON.stringify(response.result));
    assert.match(response.message, message);
    assert.equal(response.code, code);
  });
}

// The limit that comes first, size or time, depends on how fast the machine lays out so many lines.
for (const path of ["/endless-lines", "/bomb-lines"]) {
  test(`${path} is given up`, async () => {
    const { message } = await extractor.read(site.url(path), 10_000);
    assert.match(message, /too large|too long/);
  });
}

test("after all of them the next article is read", async () => {
  assert.ok((await extractor.read(site.url("/article"))).ok);
});
