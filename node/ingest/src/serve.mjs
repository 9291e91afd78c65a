/**
 * Many articles per process: one request per line in, one response per line out, in the order in
 * which they finish. `{id, url, timeout_ms}` → `{id, ok, result}` or `{id, ok, code, message}`,
 * each with `browsers`, the number of browsers started so far; a failure that is a file has its `url`.
 * While requests are under way `{alive: true}` is written now and then.
 */

import { createInterface } from "node:readline";

import { checkUrl, fetchArticle } from "./article.mjs";
import { fetchFailed, IngestError, IsFile } from "./errors.mjs";
import { Guard } from "./guard.mjs";
import { LIMITS } from "./limits.mjs";
import { parseRequest } from "./oneshot.mjs";
import { BrowserPool } from "./pool.mjs";

/**
 * @import { Writable } from "node:stream"
 * @import { EgressGateway } from "./egress-gateway.mjs"
 * @import { Streams } from "./oneshot.mjs"
 * @import { PoolOptions } from "./pool.mjs"
 */

/**
 * Serve until the input ends (work under way is finished) or `stop()` (it is dropped).
 * @param {Streams & {concurrency?: number, gateway?: EgressGateway | null} & Partial<PoolOptions>} options
 */
export function serve({ input, output, errors, concurrency = 4, gateway, ...poolOptions }) {
  const guard = Guard.fromEnvironment({ gateway });
  const pool = new BrowserPool(guard, poolOptions);
  const server = new Server({ output, errors, concurrency, guard, pool });
  const lines = createInterface({ input, crlfDelay: Infinity });
  input.on(
    "data",
    lineLength(() => lines.close()),
  );
  lines.on("line", (line) => line.trim() && server.accept(line));
  lines.once("close", () => server.finish());
  return { done: server.done, stop: () => server.stop() };
}

/**
 * Called when a line is longer than any request: no sensible client is at the other end.
 * @param {() => void} tooLong
 * @returns {(chunk: Buffer) => void}
 */
function lineLength(tooLong) {
  let length = 0;
  return (chunk) => {
    const at = chunk.lastIndexOf("\n");
    length = at < 0 ? length + chunk.length : chunk.length - at - 1;
    if (length > LIMITS.requestLineBytes) tooLong();
  };
}

class Server {
  #output;
  #errors;
  #concurrency;
  #guard;
  #pool;
  /** @type {string[]} */
  #waiting = [];
  #active = 0;
  #ending = false;
  /** @type {NodeJS.Timeout | undefined} */
  #life;
  /** @type {() => void} */
  #end = () => {};

  /** @param {{output: Writable, errors: Writable, concurrency: number, guard: Guard, pool: BrowserPool}} options */
  constructor({ output, errors, concurrency, guard, pool }) {
    this.#output = output;
    this.#errors = errors;
    this.#concurrency = concurrency;
    this.#guard = guard;
    this.#pool = pool;
    /** @type {Promise<void>} */
    this.done = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** @param {string} line */
  accept(line) {
    this.#waiting.push(line);
    this.#next();
  }

  finish() {
    this.#ending = true;
    this.#next();
  }

  async stop() {
    this.#waiting.length = 0;
    this.#ending = true;
    await this.#pool.close();
    this.#end();
  }

  #next() {
    this.#showLife();
    while (this.#active < this.#concurrency && this.#waiting.length > 0) {
      this.#active += 1;
      this.#respond(String(this.#waiting.shift())).finally(() => {
        this.#active -= 1;
        this.#next();
      });
    }
    if (this.#ending && this.#active === 0) this.stop();
  }

  /** As long as somebody waits: one who hears nothing knows that we stand still, not the page. */
  #showLife() {
    const busy = this.#active > 0 || this.#waiting.length > 0;
    if (busy) this.#life ??= setInterval(() => this.#write({ alive: true }), LIMITS.aliveMs);
    else {
      clearInterval(this.#life);
      this.#life = undefined;
    }
  }

  /** @param {object} line */
  #write(line) {
    this.#output.write(`${JSON.stringify(line)}\n`);
  }

  /**
   * The place is free again when the tab is closed; the caller need not wait for that.
   * @param {string} line
   */
  async #respond(line) {
    let id = null;
    let response;
    /** @type {(() => Promise<void>)[]} */
    const left = [];
    try {
      const request = parseRequest(line);
      id = request.id ?? null;
      const url = checkUrl(request.url, this.#guard);
      const wanted = { url, timeoutMs: request.timeout_ms };
      const result = await fetchArticle(this.#pool, wanted, (giveBack) => left.push(giveBack));
      response = { id, ok: true, result };
    } catch (error) {
      const known =
        error instanceof IngestError ? error : fetchFailed("the page could not be read");
      if (known !== error) this.#errors.write(`${error.stack}\n`);
      const file = known instanceof IsFile ? { url: known.url } : {};
      response = { id, ok: false, code: known.code, message: known.message, ...file };
    }
    const browsers = this.#pool.started;
    this.#write({ ...response, browsers });
    await Promise.all(left.map((giveBack) => giveBack()));
  }
}
