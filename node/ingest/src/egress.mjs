/**
 * The browser's only access to the network: a filtering proxy, one per article, so that what an
 * article may spend and which connections belong to it are never in doubt.
 */

import http from "node:http";

import { RequestError } from "proxy-chain";

import { canonicalHost, portOf } from "./address.mjs";
import { Refused } from "./guard.mjs";
import { LIMITS } from "./limits.mjs";
import { cleanHeaders, makeProxy } from "./proxy.mjs";

/**
 * @import { Socket } from "node:net"
 * @import { Server } from "proxy-chain"
 * @import { Guard } from "./guard.mjs"
 */

export class Egress {
  #guard;
  /** @type {Server | undefined} */
  #server;
  #agent = new http.Agent({ keepAlive: true });
  /** @type {Map<string, ReturnType<Guard["route"]>>} */
  #targets = new Map();
  /** @type {Map<string, Refused>} */
  #refusals = new Map();
  #closed = false;
  #bytes = 0;

  /** @param {Guard} guard */
  constructor(guard) {
    this.#guard = guard;
  }

  /** Called once, when the article has used up its bytes. */
  onExhausted = () => {};

  /** Start listening; returns the proxy's URL. */
  async open() {
    this.#server = makeProxy({
      host: "127.0.0.1",
      port: 0,
      idleMs: LIMITS.idleSocketMs,
      prepareRequestFunction: async ({ request, hostname, port, isHttp }) => {
        cleanHeaders(request);
        const route = await this.#prepare(hostname, port);
        if (route) return route;
        // As a response like any other, which leaves the connection open for the next request.
        if (isHttp) return { customResponseFunction: () => ({ statusCode: 403 }) };
        throw new RequestError("refused", 403);
      },
    });
    this.#server.server.on("connection", (socket) => this.#watch(socket));
    await this.#server.listen();
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /**
   * Why a URL was refused, or undefined when it was not.
   * @param {string} url
   */
  refusal(url) {
    const parsed = new URL(url);
    return this.#refusals.get(key(parsed.hostname, portOf(parsed)));
  }

  /** No more network for this article: what is under way fails now, what comes later at once. */
  cutOff() {
    this.#closed = true;
    this.#server?.closeConnections();
    this.#agent.destroy();
  }

  async close() {
    this.#closed = true;
    this.#agent.destroy();
    await this.#server?.close(true);
  }

  /**
   * How to reach a host, or null when it is refused.
   * @param {string} hostname
   * @param {number} port
   */
  async #prepare(hostname, port) {
    if (this.#closed) throw new RequestError("closed", 403);
    try {
      return { httpAgent: this.#agent, ...(await this.#checked(hostname, port)) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#refusals.set(key(hostname, port), error);
      return null;
    }
  }

  /**
   * One decision per host and port for the whole article: a later DNS answer changes nothing.
   * @param {string} hostname
   * @param {number} port
   */
  #checked(hostname, port) {
    const target = key(hostname, port);
    const known = this.#targets.get(target);
    if (known) return known;
    const checking = this.#guard.route(hostname, port);
    checking.catch(() => {});
    this.#targets.set(target, checking);
    return checking;
  }

  /** @param {Socket} socket */
  #watch(socket) {
    const write = socket.write.bind(socket);
    /** @type {(chunk: Uint8Array | string, ...rest: any[]) => boolean} */
    socket.write = (chunk, ...rest) => {
      this.#bytes += chunk.length;
      if (this.#bytes > LIMITS.networkBytes && !this.#closed) {
        this.cutOff();
        this.onExhausted();
      }
      return write(chunk, ...rest);
    };
  }
}

/**
 * @param {string} hostname
 * @param {number} port
 */
const key = (hostname, port) => `${canonicalHost(hostname) ?? hostname} ${port}`;
