/** Extractors that are connected to: each connection its own, and nothing left of it afterwards. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";

import {
  browsersOf,
  connectTo,
  endAll,
  isRunning,
  parentOf,
  startEgressGateway,
  startListener,
} from "./support/extractor.mjs";
import { until } from "./support/patience.mjs";
import { startSite } from "./support/site.mjs";

let site;
before(async () => {
  site = await startSite();
});
after(() => site.close());
afterEach(endAll);

test("an article is read through the connection and the egress gateway", async () => {
  const running = await startEgressGateway();
  const listener = await startListener({
    args: ["--egress-gateway", `http://127.0.0.1:${running.port}`],
  });
  const extractor = await connectTo(listener.port);
  const { ok, result } = await extractor.read(site.url("/article"));
  assert.ok(ok);
  assert.match(result.content_html, /Part 11/);
  running.process.kill("SIGTERM");
  assert.deepEqual(await running.exited, { code: 0, signal: null });
  const { code, message } = await extractor.read(site.url("/article"));
  assert.deepEqual(
    [code, message],
    ["interrupted", "Nexus has no way to the web just now: try again later"],
  );
});

test("connections have processes of their own, which end with them", async () => {
  const listener = await startListener();
  const [one, other] = await Promise.all([connectTo(listener.port), connectTo(listener.port)]);
  const responses = await Promise.all([one, other].map((each) => each.read(site.url("/article"))));
  assert.deepEqual(
    responses.map(({ browsers }) => browsers),
    [1, 1],
  );
  const processes = browsersOf(listener.process.pid);
  one.socket.end();
  await until(() => !processes.every(isRunning), "the first ends");
  assert.ok((await other.read(site.url("/article"))).ok, "the other goes on");
  other.read(site.url("/loop"));
  await until(() => site.hits("/loop").length > 0, "a page that never ends is open");
  other.socket.resetAndDestroy();
  await until(() => browsersOf(listener.process.pid).length === 0, "nothing is left");
  assert.ok(isRunning(listener.process.pid));
});

test("a client that connects and sends nothing costs no process", async () => {
  const listener = await startListener();
  const [quiet, extractor] = await Promise.all([
    connectTo(listener.port),
    connectTo(listener.port),
  ]);
  assert.ok((await extractor.read(site.url("/article"))).ok);
  const own = browsersOf(listener.process.pid).filter(
    (pid) => parentOf(pid) === listener.process.pid,
  );
  assert.equal(own.length, 1);
  quiet.socket.end();
  await quiet.closed;
});

test("a line without end is not waited for", async () => {
  const listener = await startListener();
  const extractor = await connectTo(listener.port);
  extractor.socket.on("error", () => {});
  const more = setInterval(() => extractor.socket.write("x".repeat(64 * 1024)), 5);
  await extractor.closed;
  clearInterval(more);
  await until(() => browsersOf(listener.process.pid).length === 0, "its process is gone");
});

test("a place that is invalid is reported at once", async () => {
  await assert.rejects(startListener({ place: "nowhere" }), /HOST:PORT/);
});
