/** The thread in which a PDF is read. It has no streams; what it finds it posts as lines. */

import { parentPort, workerData } from "node:worker_threads";

import { IngestError, interrupted, tooComplex } from "../errors.mjs";
import { readPdf } from "./read.mjs";

const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);

try {
  for await (const line of readPdf(workerData)) post(line);
  post({ ok: true });
} catch (error) {
  const { code, message } = known(error);
  post({ ok: false, code, message });
}

/** @param {object} line */
function post(line) {
  port.postMessage(JSON.stringify(line));
}

/** @param {Error} error */
function known(error) {
  if (error instanceof IngestError) return error;
  if (error instanceof RangeError && /allocation/.test(error.message)) return tooComplex();
  console.error(error);
  return interrupted("the file could not be read");
}
