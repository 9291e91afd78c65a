/** The life of the serve process and its browser. What is killed: `long/killed.test.mjs`. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";

import { browsersOf, endAll, isRunning, startServer } from "./support/extractor.mjs";
import { until } from "./support/patience.mjs";
import { startSite } from "./support/site.mjs";

let site;
before(async () => {
  site = await startSite();
});
after(() => site.close());
afterEach(endAll);

const TO_ARTICLE = { location: "/article" };

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
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  const own = await startSite({
    "/held": (_request, response) => released.then(() => response.writeHead(302, TO_ARTICLE).end()),
  });
  const reading = [1, 2, 3].map(() => server.read(own.url("/held")));
  await until(() => own.mostOpen() === 2, "two run at once");
  release();
  for (const { ok, message } of await Promise.all(reading)) assert.ok(ok, message);
  assert.equal(own.mostOpen(), 2, "never more");
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
