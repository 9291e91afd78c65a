/** A temporary directory of this process, so that nothing of a killed browser stays behind. */

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "nexus-ingest-";

/** Where things go that outlive this process. */
export const sharedTemporaryDirectory = tmpdir();

/** Point TMPDIR at a fresh directory, removed at exit; sweep those whose process is gone. */
export function useOwnTemporaryDirectory() {
  const root = sharedTemporaryDirectory;
  for (const name of readdirSync(root)) {
    if (name.startsWith(PREFIX) && !isAlive(Number(name.slice(PREFIX.length)))) remove(root, name);
  }
  const own = `${PREFIX}${process.pid}`;
  remove(root, own);
  mkdirSync(join(root, own), { mode: 0o700 });
  process.env.TMPDIR = join(root, own);
  process.on("exit", () => remove(root, own));
}

/**
 * @param {string} root
 * @param {string} name
 */
function remove(root, name) {
  try {
    rmSync(join(root, name), { recursive: true, force: true });
  } catch {
    // Another user's, or a browser is still writing: the next start tries again.
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
