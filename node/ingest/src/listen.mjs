/**
 * Extractors for workers elsewhere: every connection has a process of its own, its input and output
 * are the process's, and when the connection ends nothing of the process is left. A connection whose
 * first line announces a PDF has a `pdf.mjs`, every other an `ingest.mjs --serve`.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

import { LIMITS } from "./limits.mjs";
import { below, kill } from "./processes.mjs";

/**
 * @import { ChildProcess } from "node:child_process"
 * @import { AddressInfo, Socket } from "node:net"
 */

const PROGRAM = fileURLToPath(new URL("../ingest.mjs", import.meta.url));
const PDF_PROGRAM = fileURLToPath(new URL("../pdf.mjs", import.meta.url));

/**
 * Listen until `stop()`, which ends every process first. Returns `{port, stop()}`.
 * @param {{host: string, port: number, args: string[]}} options
 */
export async function listen({ host, port, args }) {
  const ending = new Set();
  const sockets = new Set();
  // Keep-alive: a worker's machine that vanished silently is noticed too.
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: LIMITS.idleSocketMs };
  const server = createServer(options, (socket) => {
    sockets.add(socket);
    const ended = attend(socket, args).finally(() => {
      sockets.delete(socket);
      ending.delete(ended);
    });
    ending.add(ended);
  });
  server.maxConnections = LIMITS.extractors;
  server.listen(port, host);
  await once(server, "listening");
  const stop = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await Promise.all(ending);
  };
  return { port: /** @type {AddressInfo} */ (server.address()).port, stop };
}

/**
 * Resolves when the connection and its process have ended.
 * @param {Socket} socket
 * @param {string[]} args
 */
async function attend(socket, args) {
  socket.on("error", () => {});
  const ended = new Promise((resolve) => socket.once("close", resolve).once("end", resolve));
  // A client that only checks whether the port is open, such as a health check, costs no process.
  const line = await firstLine(socket);
  if (line.length > 0) await work(socket, ended, commandFor(line, args));
  socket.destroy();
}

/**
 * As much as has arrived when the first line is complete, which stays to be read; empty if none comes.
 * @param {Socket} socket
 */
async function firstLine(socket) {
  let head = Buffer.alloc(0);
  while (!head.includes("\n") && head.length <= LIMITS.requestLineBytes) {
    await new Promise((resolve) => socket.once("readable", resolve).once("close", resolve));
    const chunk = socket.read();
    if (!chunk) break;
    head = Buffer.concat([head, chunk]);
  }
  if (head.length > 0 && !socket.destroyed) socket.unshift(head);
  return head;
}

/**
 * What Node is started with.
 * @param {Buffer} head
 * @param {string[]} args
 */
function commandFor(head, args) {
  const isPdf = /^\{"pdf": ?true[,}]/.test(head.toString("latin1", 0, 32));
  return isPdf ? ["--no-addons", PDF_PROGRAM] : [PROGRAM, "--serve", ...args];
}

/**
 * @param {Socket} socket
 * @param {Promise<void>} ended
 * @param {string[]} command
 */
async function work(socket, ended, command) {
  const child = spawn(process.execPath, command, {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const exited = new Promise((resolve) => child.once("close", resolve).once("error", resolve));
  if (child.pid === undefined) return;
  for (const stream of [child.stdin, child.stdout]) stream.on("error", () => {});
  socket.pipe(child.stdin);
  child.stdout.pipe(socket);
  await ended;
  socket.destroy();
  await end(child, exited);
}

/**
 * It may close its browser; what is left after a moment is killed.
 * @param {ChildProcess} child
 * @param {Promise<void>} exited
 */
async function end(child, exited) {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.pid && killTree(child.pid), LIMITS.stopMs);
  await exited;
  clearTimeout(timer);
}

/**
 * The browser has a group of its own, so they are killed one by one.
 * @param {number} pid
 */
function killTree(pid) {
  for (const each of [pid, ...below(pid)]) kill(each);
}
