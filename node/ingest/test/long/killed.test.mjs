/** Browsers, extractors and listeners that are killed or stopped: what is left of them, and what comes next. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";

import {
  browsersOf,
  connectTo,
  endAll,
  isRunning,
  pagesOf,
  startListener,
  startServer,
} from "../support/extractor.mjs";
import { until } from "../support/patience.mjs";
import { startSite } from "../support/site.mjs";

let site;
before(async () => {
  site = await startSite();
});
after(() => site.close());
afterEach(endAll);

const workDirectory = (server) => join(tmpdir(), `nexus-ingest-${server.process.pid}`);

test("a browser that dies fails what was in flight, and the next article is read", async () => {
  const server = startServer();
  assert.ok((await server.read(site.url("/article"))).ok);
  const [browser] = browsersOf(server.process.pid);
  const doomed = server.read(site.url("/hang"));
  await until(() => site.hits("/hang").length > 0, "the page is being fetched");
  process.kill(browser, "SIGKILL");
  const { code, message } = await doomed;
  assert.equal(code, "interrupted");
  assert.match(message, /browser stopped/);
  assert.ok((await server.read(site.url("/article"))).ok);
  await server.stop();
});

test("a tab that dies while it waits for its article costs nothing", async () => {
  const server = startServer();
  const { pid } = server.process;
  const reading = server.read(site.url("/late-fetch"));
  await until(() => pagesOf(pid).length === 1, "an article is being read");
  const [used] = pagesOf(pid);
  const before = await reading;
  const waiting = await until(
    () => pagesOf(pid).find((page) => page !== used),
    "the next tab opens",
  );
  process.kill(waiting, "SIGKILL");
  await until(() => pagesOf(pid).length === 0, "it is gone");
  const { ok, browsers } = await server.read(site.url("/article"));
  assert.ok(ok);
  assert.equal(browsers, before.browsers, "the browser is still the same");
  await server.stop();
});

for (const signal of /** @type {const} */ (["SIGTERM", "SIGKILL"])) {
  test(`after ${signal} no browser is left`, async () => {
    const server = startServer();
    server.read(site.url("/loop"));
    await until(() => browsersOf(server.process.pid).length > 2, "a page is open");
    const browsers = browsersOf(server.process.pid);
    server.process.kill(signal);
    await server.exited;
    await until(() => !browsers.some(isRunning), "every browser process is gone");
  });
}

test("what a killed process left behind is swept by the next", async () => {
  const killed = startServer();
  await killed.read(site.url("/article"));
  assert.ok(existsSync(workDirectory(killed)));
  killed.process.kill("SIGKILL");
  await killed.exited;
  const next = startServer();
  await next.read(site.url("/article"));
  assert.equal(existsSync(workDirectory(killed)), false);
  await next.stop();
});

test("a process that does not listen to reason is killed with its browser", async () => {
  const listener = await startListener();
  const extractor = await connectTo(listener.port);
  assert.ok((await extractor.read(site.url("/article"))).ok);
  const processes = browsersOf(listener.process.pid);
  process.kill(processes[0], "SIGSTOP");
  extractor.socket.destroy();
  await until(() => !processes.some(isRunning), "every process is gone");
});

test("a process that dies ends its connection", async () => {
  const listener = await startListener();
  const extractor = await connectTo(listener.port);
  assert.ok((await extractor.read(site.url("/article"))).ok);
  process.kill(browsersOf(listener.process.pid)[0], "SIGKILL");
  await extractor.closed;
  assert.ok((await (await connectTo(listener.port)).read(site.url("/article"))).ok);
});

test("a listener that is stopped takes everything with it", async () => {
  const listener = await startListener();
  const extractor = await connectTo(listener.port);
  extractor.read(site.url("/loop"));
  await until(() => browsersOf(listener.process.pid).length > 2, "a page is open");
  const processes = browsersOf(listener.process.pid);
  listener.process.kill("SIGTERM");
  assert.deepEqual(await listener.exited, { code: 0, signal: null });
  await until(() => !processes.some(isRunning), "every process is gone");
});
