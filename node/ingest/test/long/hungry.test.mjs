/** Every way we know to eat memory, with the limit as it is. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { LIMITS } from "../../src/limits.mjs";
import { startServer } from "../support/extractor.mjs";
import { HUNGRY, PARTS } from "../support/hungry.mjs";
import { watchPeak } from "../support/peak.mjs";
import { startSite } from "../support/site.mjs";

const MiB = 1024 * 1024;
// Which limit comes first, memory, size or time, depends on how fast the machine is. A page that is
// too large may be a file: the worker looks at its bytes, within limits of its own.
const FAILURES = ["too_much_memory", "timeout", "fetch_failed", "readability_failed", "is_file"];
const ALWAYS = ["/buffers", "/buffers-later", "/wasm", "/worker", "/objects"];

let site;
let server;
before(async () => {
  site = await startSite({ ...HUNGRY, ...PARTS });
  server = startServer();
});
after(async () => {
  await server.stop();
  site.close();
});

for (const path of Object.keys(HUNGRY)) {
  test(path, async (context) => {
    const peak = watchPeak(server.process.pid);
    const [hungry, neighbour] = await Promise.all([
      server.read(site.url(path)),
      server.read(site.url("/late-fetch")),
    ]);
    const most = peak();
    context.diagnostic(`${hungry.code ?? "read"}, ${Math.round(most / MiB)} MiB at most`);
    if (ALWAYS.includes(path)) assert.equal(hungry.message, "This page needs too much memory");
    else assert.ok(hungry.ok || FAILURES.includes(hungry.code));
    assert.ok(neighbour.ok, neighbour.message);
    assert.ok(most < 1.25 * LIMITS.browserMemoryBytes, `${Math.round(most / MiB)} MiB`);
    assert.ok((await server.read(site.url("/article"))).ok, "the next one is read");
  });
}
