#!/usr/bin/env node
/**
 * Fetches web pages in a real browser and extracts the article.
 *
 *   ingest.mjs                      one request on stdin, one article on stdout, then exit
 *   ingest.mjs --serve              one request per line, one response per line, until stdin ends
 *   ingest.mjs --listen HOST:PORT   a `--serve` for everyone who connects
 *
 * Exit codes of the first: 0 done, 10 timeout, 11 fetch failed, 12 no article found, 13 too much
 * memory, 14 interrupted by a fault of ours, 15 a file at the address on stdout; the last line of
 * stderr says why. Options of the others: --concurrency N, --idle-seconds N, --max-articles N,
 * --max-memory-mb N. Of all: --egress-gateway URL, the egress-gateway.mjs that everything fetched goes through.
 */

import { parseArgs } from "node:util";

import { LIMITS } from "./src/limits.mjs";
import { place, refuse, runUntilSignal } from "./src/program.mjs";
import { useOwnTemporaryDirectory } from "./src/workdir.mjs";

const { stdin, stdout, stderr } = process;

const { values } = parseArgs({
  options: {
    serve: { type: "boolean", default: false },
    listen: { type: "string" },
    "egress-gateway": { type: "string" },
    concurrency: { type: "string", default: "4" },
    "idle-seconds": { type: "string", default: "5" },
    "max-articles": { type: "string", default: "100" },
    "max-memory-mb": { type: "string", default: "700" },
  },
});

useOwnTemporaryDirectory();
if (values.listen) process.exitCode = await runListener();
else if (values.serve) process.exitCode = await runServer();
else process.exitCode = await once();
process.exit();

async function once() {
  const { runOnce } = await import("./src/oneshot.mjs");
  const memoryLimitBytes = memoryLimit();
  return runOnce({
    input: stdin,
    output: stdout,
    errors: stderr,
    gateway: await gateway(),
    memoryLimitBytes,
  });
}

async function runServer() {
  const { serve } = await import("./src/serve.mjs");
  const parent = process.ppid;
  const server = serve({
    input: stdin,
    output: stdout,
    errors: stderr,
    gateway: await gateway(),
    concurrency: number("concurrency"),
    idleMs: number("idle-seconds") * 1_000,
    maxArticles: number("max-articles"),
    maxMemoryBytes: number("max-memory-mb") * 1024 * 1024,
    memoryLimitBytes: memoryLimit(),
  });
  process.once("SIGTERM", server.stop).once("SIGINT", server.stop);
  // With nobody left to read the responses there is nothing to finish.
  stdout.on("error", server.stop);
  stdin.once("end", () => process.ppid !== parent && server.stop());
  await server.done;
  return 0;
}

async function runListener() {
  await gateway(); // fails now rather than in every process
  memoryLimit();
  const { listen } = await import("./src/listen.mjs");
  const { listen: _, serve: __, ...options } = values;
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return runUntilSignal(await listen({ ...place(values.listen), args }), "extractor");
}

async function gateway() {
  if (!values["egress-gateway"]) return null;
  const { EgressGateway } = await import("./src/egress-gateway.mjs");
  try {
    return new EgressGateway(values["egress-gateway"]);
  } catch (error) {
    return refuse(error.message);
  }
}

/** What the browsers of this process may take together, from the environment. */
function memoryLimit() {
  const { NEXUS_BROWSER_MEMORY_BYTES: text } = process.env;
  const bytes = text ? Number(text) : LIMITS.browserMemoryBytes;
  if (bytes >= LIMITS.leastBrowserMemoryBytes) return bytes;
  return refuse("NEXUS_BROWSER_MEMORY_BYTES needs a number of bytes, at least 268435456");
}

/** @param {"concurrency" | "idle-seconds" | "max-articles" | "max-memory-mb"} name */
function number(name) {
  const value = Number(values[name]);
  if (value > 0) return value;
  return refuse(`--${name} needs a number greater than 0`);
}
