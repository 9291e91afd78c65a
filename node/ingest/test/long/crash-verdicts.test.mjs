/** Verdicts about memory, charged to the right page when several of one browser end at once. */

import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";

import { endAll, startServer } from "../support/extractor.mjs";
import { startSite } from "../support/site.mjs";

const site = await startSite();
after(() => site.close());
afterEach(endAll);

test("a page that overflows its stack takes no verdict from one that ran out of memory", async () => {
  const server = startServer();
  const rounds = Array.from({ length: 4 }, () => [
    "/deep-script",
    "/memory",
    "/deep-script",
  ]).flat();
  const failures = await Promise.all(rounds.map((path) => server.read(site.url(path))));
  for (const [at, { code, message }] of failures.entries()) {
    assert.equal(
      code,
      rounds[at] === "/memory" ? "too_much_memory" : "fetch_failed",
      `${rounds[at]}: ${message}`,
    );
  }
  await server.stop();
});
