/** Drives the real program, in either mode. */

import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../ingest.mjs', import.meta.url));

const running = new Set();

function start(args, env) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, NEXUS_ENV: 'test', NEXUS_ALLOW_PRIVATE_HOSTS: '', ...env },
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** End what a failed test left running; for `afterEach`. */
export function endAll() {
  for (const child of running) child.kill('SIGKILL');
}

/** `{read(url, timeoutMs), process, exited, stop()}` of a running `--serve`. */
export function startServer({ args = [], env = {} } = {}) {
  const child = start(['--serve', ...args], env);
  const waiting = new Map();
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  child.stderr.pipe(process.stderr);
  let last = 0;
  return {
    process: child,
    exited,
    read: (url, timeoutMs = 20_000) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        child.stdin.write(`${JSON.stringify({ id: last, url, timeout_ms: timeoutMs })}\n`);
      }),
    stop: () => {
      child.stdin.end();
      return exited;
    },
  };
}

/** `{code, stdout, stderr}` of one run of the one-shot mode. */
export async function runOnce(input, env = {}) {
  const child = start([], env);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (part) => (output[name] += part));
  }
  child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, ...output };
}

/** Pids of the browser processes below a process. */
export function browsersOf(pid) {
  const children = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(name);
    if (parent) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (parent) => (children.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** Pids of those that hold a page. */
export const pagesOf = (pid) =>
  browsersOf(pid).filter((child) => commandLine(child).includes('--type=renderer'));

function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function parentOf(pid) {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
  } catch {
    return 0;
  }
}

export const isRunning = (pid) => parentOf(pid) > 0;

/** Wait until `condition()` holds, at most half a minute. */
export async function until(condition, what) {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
