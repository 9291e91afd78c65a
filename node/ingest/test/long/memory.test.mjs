/** Pages that eat memory fail with a message that explains it, within the limit, at no cost to others. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";

import { endAll, runOnce, startServer } from "../support/extractor.mjs";
import { HUNGRY, PARTS, taking, together } from "../support/hungry.mjs";
import { watchPeak } from "../support/peak.mjs";
import { startSite } from "../support/site.mjs";

const MiB = 1024 * 1024;
const limited = (mib) => ({ NEXUS_BROWSER_MEMORY_BYTES: String(mib * MiB) });

let site;
before(async () => {
  const modest = { "/modest-1": taking(330), "/modest-2": taking(320), "/together": together(2) };
  site = await startSite({ ...HUNGRY, ...PARTS, ...modest });
});
after(() => site.close());
afterEach(endAll);

test("the page that grew fails, its neighbours and the next one are read", async () => {
  // Half of it is more than the page may take before it stands out among its three neighbours: with
  // less, it could first be taken for one of a crowd, and be read again in a browser of its own.
  const limit = 1_000;
  // Nor is the browser to be replaced because a neighbour is done while the page is at its largest.
  const server = startServer({ env: limited(limit), args: ["--max-memory-mb", "2000"] });
  const peak = watchPeak(server.process.pid);
  const [hungry, ...others] = await Promise.all(
    ["/buffers-later", "/late-fetch", "/article", "/late"].map((path) =>
      server.read(site.url(path)),
    ),
  );
  assert.deepEqual(
    [hungry.ok, hungry.code, hungry.message],
    [false, "too_much_memory", "This page needs too much memory"],
  );
  for (const { ok, message } of others) assert.ok(ok, message);
  const next = await server.read(site.url("/article"));
  assert.ok(next.ok, next.message);
  assert.equal(next.browsers, 1, "the browser stayed");
  assert.ok(peak() < 1.5 * limit * MiB, `${Math.round(peak() / MiB)} MiB at most`);
  await server.stop();
});

test("pages that only together are too much are read one after the other", async () => {
  const server = startServer({ env: limited(760) });
  const responses = await Promise.all(
    ["/modest-1", "/modest-2"].map((path) => server.read(site.url(path))),
  );
  for (const { ok, message } of responses) assert.ok(ok, message);
  assert.ok(
    Math.max(...responses.map(({ browsers }) => browsers)) > 1,
    "one had to have a browser of its own",
  );
  await server.stop();
});

test("a process for one article keeps the limit too", async () => {
  const { code, stderr } = await runOnce(
    { url: site.url("/buffers"), timeout_ms: 20_000 },
    limited(500),
  );
  assert.equal(code, 13);
  assert.match(stderr, /This page needs too much memory\n$/);
});
