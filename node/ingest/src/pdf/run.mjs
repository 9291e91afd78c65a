/**
 * One PDF per process: a line with its size and its bytes on stdin, lines with what is in it on
 * stdout. The last one says how it ended: `{ok: true}` or `{ok: false, code, message}`.
 *
 * The file is read in a thread. This one stays free to show life, and to end the process when it
 * takes too much time or memory, whatever the file makes of the other.
 */

import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { EXIT_CODES, IngestError, interrupted, tooComplex } from "../errors.mjs";
import { LIMITS } from "../limits.mjs";
import { Standstill } from "../standstill.mjs";

/**
 * @import { Readable, Writable } from "node:stream"
 * @typedef {{size: number, timeout_ms: number}} Request
 */

const THREAD = new URL("./thread.mjs", import.meta.url);

/**
 * Returns the exit code.
 * @param {{input: Readable, output: Writable, errors: Writable}} streams
 */
export async function runPdf({ input, output, errors }) {
  const standstill = new Standstill();
  const life = setInterval(() => output.write('{"alive":true}\n'), LIMITS.aliveMs);
  try {
    const { request, data } = await receive(input);
    const last = await readInThread(data, request.timeout_ms, output);
    if (standstill.noticed && last.code !== "password") throw stoodStill();
    await write(output, last);
    return last.ok ? 0 : EXIT_CODES[/** @type {keyof typeof EXIT_CODES} */ (last.code)];
  } catch (error) {
    const own = standstill.noticed ? stoodStill() : error;
    const known = own instanceof IngestError ? own : interrupted("the file could not be read");
    if (known !== own) errors.write(`${own.stack}\n`);
    await write(output, { ok: false, code: known.code, message: known.message });
    return EXIT_CODES[known.code];
  } finally {
    clearInterval(life);
    standstill.stop();
  }
}

const stoodStill = () => interrupted("the extractor stood still while it read this file");

/**
 * The request and exactly as many bytes as it announces.
 * @param {Readable} input
 */
async function receive(input) {
  /** @type {Request | null} */
  let request = null;
  let head = Buffer.alloc(0);
  let data = new Uint8Array(0);
  let filled = 0;
  for await (const chunk of input) {
    let body = chunk;
    if (!request) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\n");
      if (end < 0 && head.length <= LIMITS.requestLineBytes) continue;
      request = parseRequest(head.subarray(0, end).toString());
      data = new Uint8Array(request.size);
      body = head.subarray(end + 1);
    }
    data.set(body.subarray(0, data.length - filled), filled);
    filled += body.length;
    if (filled >= data.length) return { request, data };
  }
  throw interrupted("the file did not arrive whole");
}

/**
 * @param {string} line
 * @returns {Request}
 */
function parseRequest(line) {
  const request = JSON.parse(line);
  const isSize = Number.isInteger(request.size) && request.size >= 0;
  if (!isSize || !(request.timeout_ms > 0)) throw interrupted("the request is not valid");
  if (request.size > LIMITS.pdfBytes) throw tooComplex("This PDF is too large.");
  return request;
}

/**
 * Passes the thread's lines on and returns the last, which says how it ended.
 * @param {Uint8Array<ArrayBuffer>} data
 * @param {number} timeoutMs
 * @param {Writable} output
 * @returns {Promise<{ok: boolean, code?: string, message?: string}>}
 */
function readInThread(data, timeoutMs, output) {
  const worker = new Worker(THREAD, {
    workerData: data,
    transferList: [data.buffer],
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.pdfHeapMb },
    stdout: false,
  });
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => end(tooLong()), Math.min(timeoutMs, LIMITS.pdfMs));
    const memory = setInterval(() => {
      if (process.memoryUsage.rss() > LIMITS.pdfMemoryBytes) end(tooMuchMemory());
    }, LIMITS.memoryLookMs);
    /** @param {Error} error */
    const end = (error) => {
      clearTimeout(deadline);
      clearInterval(memory);
      // Not waited for: it may be busy, and ends with the process at the latest.
      worker.terminate();
      reject(error);
    };
    worker.on("message", (line) => {
      if (!line.startsWith('{"ok":')) output.write(`${line}\n`);
      else {
        clearTimeout(deadline);
        clearInterval(memory);
        resolve(JSON.parse(line));
      }
    });
    worker.once("error", (error) => end(outOfHeap(error) ? tooMuchMemory() : error));
    worker.once("exit", () => end(interrupted("the file could not be read to its end")));
  });
}

const tooLong = () => tooComplex("Reading this PDF takes too long.");
const tooMuchMemory = () => tooComplex("Reading this PDF takes too much memory.");

/** @param {any} error */
const outOfHeap = (error) => error.code === "ERR_WORKER_OUT_OF_MEMORY";

/**
 * @param {Writable} output
 * @param {object} line
 */
async function write(output, line) {
  if (!output.write(`${JSON.stringify(line)}\n`)) await once(output, "drain");
}
