/** What Linux reports about processes. Elsewhere there is no /proc, and nothing is found. */

import { readdirSync, readFileSync } from "node:fs";

/**
 * @param {number} pid
 * @param {string} name
 */
const read = (pid, name) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return ""; // it ended, or is not ours to look at
  }
};

/**
 * Everything a process started, and what that started.
 * @param {number} pid
 * @returns {number[]}
 */
export function below(pid) {
  return childrenOf(pid).flatMap((child) => [child, ...below(child)]);
}

/**
 * What a process started itself, from any of its threads.
 * @param {number} pid
 */
export function childrenOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      read(pid, `task/${thread}/children`).split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/**
 * Chromium's name for what a process is: `renderer`, `zygote`, … or `browser`.
 * @param {number} pid
 */
export const kindOf = (pid) => /--type=([\w-]+)/.exec(read(pid, "cmdline"))?.[1] ?? "browser";

/**
 * Resident and swapped bytes of a process: `own`, of which others share a part at most, and `file`,
 * pages of programs and libraries, which are one and the same for all that run them. Quick to ask.
 * @param {number} pid
 */
export function held(pid) {
  const status = read(pid, "status");
  /** @param {string} name */
  const bytes = (name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) * 1024;
  return { own: bytes("RssAnon") + bytes("RssShmem") + bytes("VmSwap"), file: bytes("RssFile") };
}

/**
 * Its proportional set size, or null where the system does not let us ask. Slow for a large one.
 * @param {number} pid
 */
export function share(pid) {
  const text = read(pid, "smaps_rollup");
  /** @param {string} name */
  const kib = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
  return text ? (kib("Pss") + kib("SwapPss")) * 1024 : null;
}

/** @param {number} pid */
export function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself meanwhile.
  }
}
