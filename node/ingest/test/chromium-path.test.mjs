/** How the browser is found and unpacked. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { findBrowser } from "../chromium-path.mjs";
import { unpackBundledBrowser } from "../src/bundled.mjs";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("../chromium-path.mjs", import.meta.url));

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "nexus-chromium-test-"));
});
after(() => rm(folder, { recursive: true, force: true }));

test("as a script it prints the path, or all of it as JSON", async () => {
  const { path, args, env } = await findBrowser();
  assert.equal((await run(process.execPath, [SCRIPT])).stdout, `${path}\n`);
  const { stdout } = await run(process.execPath, [SCRIPT, "--json"]);
  assert.deepEqual(JSON.parse(stdout), { path, args, env });
});

test("only root goes without the sandbox", async () => {
  const { args } = await findBrowser();
  assert.deepEqual(args, process.getuid() === 0 ? ["--no-sandbox"] : []);
});

test("NEXUS_CHROMIUM comes first, and must be a program", async () => {
  const { path } = await findBrowser({ ...process.env, NEXUS_CHROMIUM: process.execPath });
  assert.equal(path, process.execPath);
  await assert.rejects(findBrowser({ NEXUS_CHROMIUM: folder }), /NEXUS_CHROMIUM is set to/);
});

test("headless builds that are installed come before the bundled one", async () => {
  const bin = join(folder, "bin");
  await mkdir(bin);
  await symlink(process.execPath, join(bin, "chromium-headless-shell"));
  const env = { PATH: bin, PLAYWRIGHT_BROWSERS_PATH: join(folder, "playwright") };
  assert.equal((await findBrowser(env)).path, join(bin, "chromium-headless-shell"));
  for (const revision of ["90", "1100"]) {
    const build = join(folder, "playwright", `chromium_headless_shell-${revision}`, "chrome-linux");
    await mkdir(build, { recursive: true });
    await symlink(process.execPath, join(build, "headless_shell"));
  }
  assert.match((await findBrowser(env)).path, /headless_shell-1100/);
});

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
  const version = (await readdir(join(folder, "cache")))[0];
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
