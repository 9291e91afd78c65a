/** Finding the browser. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { findBrowser } from "../chromium-path.mjs";

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
