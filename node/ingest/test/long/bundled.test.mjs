/** Unpacking the bundled browser. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { unpackBundledBrowser } from "../../src/bundled.mjs";

const run = promisify(execFile);
const PACKAGE = new URL("../../node_modules/@sparticuz/chromium/package.json", import.meta.url);

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "nexus-chromium-test-"));
});
after(() => rm(folder, { recursive: true, force: true }));

test("two that unpack at once get the same browser and leave nothing else", async () => {
  const place = join(folder, "cache");
  await mkdir(place);
  const [one, two] = await Promise.all([
    unpackBundledBrowser([place]),
    unpackBundledBrowser([place]),
  ]);
  assert.deepEqual(one, two);
  assert.match(
    (await run(one.path, ["--version"], { env: { LD_LIBRARY_PATH: one.libraries } })).stdout,
    /Chromium \d+/,
  );
  const [version, ...others] = await readdir(place);
  assert.deepEqual(others, []);
  assert.ok(one.path.startsWith(join(place, version)));
});

test("what an interrupted unpacking left is removed, a stranger’s directory is not used", async () => {
  const place = join(folder, "second");
  const { version } = JSON.parse(await readFile(PACKAGE, "utf8"));
  const partial = join(place, `${version}.partial-abc`);
  await mkdir(partial, { recursive: true });
  await utimes(partial, 0, 0);
  await mkdir(join(folder, "open"));
  await chmod(join(folder, "open"), 0o777);
  const { path } = await unpackBundledBrowser([join(folder, "open"), place]);
  assert.ok(path.startsWith(place));
  assert.deepEqual(await readdir(place), [version]);
  assert.deepEqual(await readdir(join(folder, "open")), []);
});
