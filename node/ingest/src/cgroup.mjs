/**
 * A cgroup of the browser's own, where we may make one (version 2, delegated to us, as in a systemd
 * user session): the kernel then keeps the limit exactly. Where not, `path` is empty.
 */

import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const NONE = { path: "", remove: () => {} };

const PREFIX = "nexus-browser-";

let made = 0;

/**
 * `{path, remove()}`. The limit is a little above the watch's, so that the watch ends pages first.
 * @param {number} memoryBytes
 */
export function makeCgroup(
  memoryBytes,
  { root = "/sys/fs/cgroup", own = "/proc/self/cgroup" } = {},
) {
  try {
    const place = /^0::(.*)$/m.exec(readFileSync(own, "utf8"))?.[1] ?? "/";
    // Beside our own: a group that holds processes can have none below it with limits.
    const parent = join(root, dirname(place));
    const controllers = readFileSync(join(parent, "cgroup.subtree_control"), "utf8").split(/\s+/);
    if (place === "/" || !controllers.includes("memory")) return NONE;
    sweep(parent);
    made += 1;
    const path = join(parent, `${PREFIX}${process.pid}-${made}`);
    mkdirSync(path);
    const remove = () => attempt(() => rmdirSync(path));
    const limited = attempt(() => {
      writeFileSync(join(path, "memory.max"), String(Math.ceil(memoryBytes * 1.125)));
      attempt(() => writeFileSync(join(path, "memory.swap.max"), "0"));
    });
    if (limited) return { path, remove };
    remove();
    return NONE;
  } catch {
    return NONE;
  }
}

/**
 * What could not be removed while its last process was still ending, here or before a kill.
 * @param {string} parent
 */
function sweep(parent) {
  for (const name of readdirSync(parent).filter((each) => each.startsWith(PREFIX))) {
    const pid = Number.parseInt(name.slice(PREFIX.length), 10);
    const living = pid !== process.pid && attempt(() => process.kill(pid, 0));
    if (!living) attempt(() => rmdirSync(join(parent, name)));
  }
}

/** @param {() => void} work */
function attempt(work) {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
