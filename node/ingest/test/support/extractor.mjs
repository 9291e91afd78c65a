/** Drives the real program, in either mode. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { LIMITS } from "../../src/limits.mjs";

const program = (name) => fileURLToPath(new URL(`../../${name}.mjs`, import.meta.url));

const running = new Set();

function start(args, env, name = "ingest") {
  const child = spawn(process.execPath, [program(name), ...args], {
    env: { ...process.env, NEXUS_ENV: "test", NEXUS_ALLOW_PRIVATE_HOSTS: "", ...env },
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}

/** End what a failed test left running; for `afterEach`. */
export async function endAll() {
  const ending = [...running].map((child) => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    return child.exitCode === null && child.signalCode === null ? ended : null;
  });
  await Promise.all(ending);
}

const exitOf = (child) =>
  new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));

/** `{read(url, timeoutMs), process, exited, stop()}` of a running `--serve`. */
export function startServer({ args = [], env = {} } = {}) {
  const child = start(["--serve", ...args], env);
  const exited = exitOf(child);
  child.stderr.pipe(process.stderr);
  const stop = () => {
    child.stdin.end();
    return exited;
  };
  return { process: child, exited, read: reader(child.stdout, child.stdin), stop };
}

/**
 * `read(url, timeoutMs)` over a pair of streams: one request per line, one response per line. What a
 * machine that stood still spoiled is read again, as the worker does.
 */
function reader(responses, requests) {
  const waiting = new Map();
  createInterface({ input: responses }).on("line", (line) => {
    const response = JSON.parse(line);
    waiting.get(response.id)?.(response);
    waiting.delete(response.id);
  });
  let last = 0;
  const ask = (url, timeoutMs) =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      requests.write(`${JSON.stringify({ id: last, url, timeout_ms: timeoutMs })}\n`);
    });
  return async (url, timeoutMs = LIMITS.maxTimeoutMs) => {
    for (;;) {
      const response = await ask(url, timeoutMs);
      if (!STOOD_STILL.test(response.message)) return response;
    }
  };
}

const STOOD_STILL = /stood still/;

/** `{process, exited, port}` of a program that listens. */
async function startListening(name, place, args = []) {
  const child = start(["--listen", place, ...args], {}, name);
  const exited = exitOf(child);
  const complaint = child.stderr.setEncoding("utf8").toArray();
  const [line] = await Promise.race([
    once(child.stdout.setEncoding("utf8"), "data"),
    exited.then(() => []),
  ]);
  if (!line) throw new Error((await complaint).join(""));
  return { process: child, exited, port: Number(/port (\d+)/.exec(line)[1]) };
}

export const startListener = ({ place = "127.0.0.1:0", args = [] } = {}) =>
  startListening("ingest", place, args);
export const startEgressGateway = () => startListening("egress-gateway", "127.0.0.1:0");

/** `{read(url, timeoutMs), socket, closed}` of a connection to a listener. */
export async function connectTo(port) {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  return { socket, closed, read: reader(socket, socket) };
}

/** `{code, stdout, stderr}` of one run of the one-shot mode, again after a standstill. */
export async function runOnce(input, env = {}) {
  for (;;) {
    const run = await oneRun(input, env);
    if (!STOOD_STILL.test(run.stderr)) return run;
  }
}

async function oneRun(input, env) {
  const child = start([], env);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8").on("data", (part) => (output[name] += part));
  }
  child.stdin.end(typeof input === "string" ? input : JSON.stringify(input));
  const code = await new Promise((resolve) => child.once("close", resolve));
  return { code, ...output };
}

/** Pids of the browser processes below a process. */
export function browsersOf(pid) {
  const children = new Map();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(name);
    if (parent) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (parent) =>
    (children.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** Pids of those that hold a page. */
export const pagesOf = (pid) =>
  browsersOf(pid).filter((child) => commandLine(child).includes("--type=renderer"));

function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

export function parentOf(pid) {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
  } catch {
    return 0;
  }
}

export const isRunning = (pid) => parentOf(pid) > 0;
