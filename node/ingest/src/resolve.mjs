/** Turns names into addresses. */

import { lookup, Resolver } from "node:dns/promises";

const NO_SUCH_NAME = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * All addresses of a public name, asked of DNS itself: the system's own lookup occupies one of a
 * few threads for seconds when a reply is lost, and everything else would wait behind it.
 * @param {string} host
 */
export async function resolvePublicName(host) {
  const resolver = new Resolver({ timeout: 500, tries: 4 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => {
    if (answer.status === "fulfilled") return answer.value;
    // Half an answer is not enough to call a name public.
    if (!NO_SUCH_NAME.has(answer.reason.code)) throw answer.reason;
    return [];
  });
}

/**
 * All addresses of a name the operator listed, as the system knows it: hosts file and all.
 * @param {string} host
 */
export async function resolveListedName(host) {
  const answers = await lookup(host, { all: true });
  return answers.map(({ address }) => address);
}

/** Remembers answers for a short while, as browsers do; articles share most of their hosts. */
export class AnswerCache {
  /** @type {Map<string, {at: number, promise: Promise<string[]>}>} */
  #answers = new Map();
  #maxAgeMs;
  #maxNames;

  constructor({ maxAgeMs = 30_000, maxNames = 1_000 } = {}) {
    this.#maxAgeMs = maxAgeMs;
    this.#maxNames = maxNames;
  }

  /**
   * The remembered promise of `resolve(host)`, or a new one.
   * @param {string} host
   * @param {(host: string) => Promise<string[]>} resolve
   */
  get(host, resolve) {
    const known = this.#answers.get(host);
    if (known && Date.now() - known.at < this.#maxAgeMs) return known.promise;
    this.#answers.delete(host);
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size >= this.#maxNames) this.#answers.delete(oldest);
    const promise = resolve(host);
    promise.catch(() => {});
    this.#answers.set(host, { at: Date.now(), promise });
    return promise;
  }
}
