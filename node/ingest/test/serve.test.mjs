/** The life of the serve process and its browser. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";

import {
  browsersOf,
  endAll,
  isRunning,
  pagesOf,
  startServer,
  until,
} from "./support/extractor.mjs";
import { startSite } from "./support/site.mjs";

let site;
before(async () => {
  site = await startSite();
});
after(() => site.close());
afterEach(endAll);

const workDirectory = (server) => join(tmpdir(), `nexus-ingest-${server.process.pid}`);

test("the browser starts with the first article and ends when nothing comes", async () => {
  const server = startServer({ args: ["--idle-seconds", "0.5"] });
  const pid = server.process.pid;
  assert.ok((await server.read(site.url("/article"))).ok);
  assert.ok(browsersOf(pid).length > 0);
  await until(() => browsersOf(pid).length === 0, "the browser closes");
  assert.ok((await server.read(site.url("/article"))).ok, "and starts again");
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
  assert.equal(existsSync(workDirectory(server)), false);
});

test("articles run side by side, and what waits for a place is read too", async () => {
  const server = startServer({ args: ["--concurrency", "2"] });
  const own = await startSite();
  const slow = [server.read(own.url("/hang"), 3_000), server.read(own.url("/hang"), 3_000)];
  const queued = server.read(site.url("/article"));
  assert.deepEqual(
    (await Promise.all(slow)).map(({ code }) => code),
    ["timeout", "timeout"],
  );
  assert.equal(own.mostOpen(), 2, "the two ran at once");
  assert.ok((await queued).ok);
  await server.stop();
  own.close();
});

test("the browser is replaced after its share of articles, without losing one", async () => {
  const server = startServer({ args: ["--max-articles", "2"] });
  const first = server.read(site.url("/article"));
  assert.equal((await first).browsers, 1);
  const [old] = browsersOf(server.process.pid);
  const responses = await Promise.all(
    ["/article", "/late", "/chain"].map((path) => server.read(site.url(path))),
  );
  assert.deepEqual(
    responses.map(({ ok }) => ok),
    [true, true, true],
  );
  assert.ok(
    responses.every(({ browsers }) => browsers >= 2),
    "each response counts the browsers",
  );
  await until(() => !isRunning(old), "the first browser is gone");
  await server.stop();
});

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

test("no article finds anything of the one before", async () => {
  const server = startServer();
  const texts = [];
  for (let number = 0; number < 3; number += 1) {
    texts.push((await server.read(site.url("/remembers"))).result.content_html);
  }
  assert.ok(
    texts.every((text) => text.includes("nothing was here before")),
    texts.join(),
  );
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

test("work under way is finished when the input ends", async () => {
  const server = startServer();
  const response = server.read(site.url("/late-fetch"));
  const exited = server.stop();
  assert.ok((await response).ok);
  assert.deepEqual(await exited, { code: 0, signal: null });
});

test("a line that is no request gets a response and is not fatal", async () => {
  const server = startServer();
  server.process.stdin.write('nonsense\n{}\n[]\n{"id": 7, "url": 3}\n\n');
  assert.ok((await server.read(site.url("/article"))).ok);
  await server.stop();
});

test("without a browser the failure explains it", async () => {
  const server = startServer({ env: { NEXUS_CHROMIUM: "/nowhere/chromium" } });
  const { code, message } = await server.read(site.url("/article"));
  assert.equal(code, "fetch_failed");
  assert.match(message, /NEXUS_CHROMIUM/);
  await server.stop();
});
