/** One article per process: request on stdin, article on stdout, outcome in the exit code. */

import { checkUrl, fetchArticle } from "./article.mjs";
import { EXIT_CODES, fetchFailed, IngestError, IsFile } from "./errors.mjs";
import { Guard } from "./guard.mjs";
import { LIMITS } from "./limits.mjs";
import { BrowserPool } from "./pool.mjs";

/**
 * @import { Readable, Writable } from "node:stream"
 * @import { EgressGateway } from "./egress-gateway.mjs"
 * @typedef {{input: Readable, output: Writable, errors: Writable}} Streams
 */

/**
 * Returns the exit code.
 * @param {Streams & {gateway: EgressGateway | null, memoryLimitBytes: number}} options
 */
export async function runOnce({ input, output, errors, gateway, memoryLimitBytes }) {
  const guard = Guard.fromEnvironment({ gateway });
  const pool = new BrowserPool(guard, { memoryLimitBytes, maxArticles: 1 });
  const stop = () => pool.close().finally(() => process.exit(EXIT_CODES.fetch_failed));
  process.once("SIGTERM", stop).once("SIGINT", stop);
  try {
    const { url, timeout_ms: timeoutMs } = await readRequest(input);
    const article = await fetchArticle(pool, { url: checkUrl(url, guard), timeoutMs }, () => {});
    await write(output, JSON.stringify(article));
    return 0;
  } catch (error) {
    const known = error instanceof IngestError ? error : fetchFailed("the page could not be read");
    if (known !== error) await write(errors, `${error.stack}\n`);
    if (known instanceof IsFile) await write(output, JSON.stringify({ url: known.url }));
    await write(errors, `${known.message}\n`);
    return EXIT_CODES[known.code];
  } finally {
    await pool.close();
  }
}

/** @param {Readable} input */
async function readRequest(input) {
  let text = "";
  input.setEncoding("utf8");
  for await (const part of input) {
    text += part;
    if (text.length > LIMITS.requestLineBytes) break;
  }
  return parseRequest(text);
}

/**
 * The request's fields, or a failure that explains what is wrong with it.
 * @param {string} text
 * @returns {{id?: unknown, url: string, timeout_ms: number}}
 */
export function parseRequest(text) {
  let request;
  try {
    request = JSON.parse(text);
  } catch {
    throw fetchFailed("the request is not valid JSON");
  }
  const timeout = request?.timeout_ms ?? LIMITS.timeoutMs;
  if (typeof request?.url !== "string") throw fetchFailed("the request has no url");
  if (!Number.isFinite(timeout) || timeout <= 0) throw fetchFailed("timeout_ms is not a duration");
  return { ...request, timeout_ms: timeout };
}

/**
 * @param {Writable} stream
 * @param {string} text
 */
const write = (stream, text) => new Promise((resolve) => stream.write(text, resolve));
