/**
 * A proxy for extractors that cannot reach the web themselves, such as those on an internal network:
 * the same guard, on a machine that can. It trusts no client: every connection is checked here
 * again, whatever was decided before.
 */

import { once } from "node:events";
import http from "node:http";

import { RequestError } from "proxy-chain";

import { Refused } from "./guard.mjs";
import { LIMITS } from "./limits.mjs";
import { cleanHeaders, makeProxy } from "./proxy.mjs";

/**
 * @import { Socket } from "node:net"
 * @import { PrepareRequestFunctionOpts } from "proxy-chain"
 * @import { Guard } from "./guard.mjs"
 */

/** Scripts of a page cannot send it: browsers reserve names that begin with "proxy-". */
const ASKING = "proxy-nexus-ask";

/**
 * Start the proxy; returns `{port, stop()}`.
 * @param {{guard: Guard, host: string, port: number, idleMs?: number}} options
 */
export async function openEgressGateway({ guard, host, port, idleMs = LIMITS.gatewayIdleMs }) {
  const proxy = makeProxy({
    host,
    port,
    idleMs,
    prepareRequestFunction: (asked) => decide(guard, asked),
  });
  proxy.server.maxConnections = LIMITS.gatewayConnections;
  // Longer than any article: a connection is never closed just when it is used again.
  proxy.server.keepAliveTimeout = idleMs;
  proxy.server.on("connection", limitEach(LIMITS.gatewayConnectionsEach));
  await proxy.listen();
  return { port: proxy.port, stop: () => proxy.close(true) };
}

/**
 * One browser's container may take its share, not everybody's.
 * @param {number} most
 * @returns {(socket: Socket) => void}
 */
function limitEach(most) {
  const open = new Map();
  return (socket) => {
    const { remoteAddress: from } = socket;
    const now = (open.get(from) ?? 0) + 1;
    open.set(from, now);
    socket.once("close", () => {
      if (open.get(from) === 1) open.delete(from);
      else open.set(from, open.get(from) - 1);
    });
    if (now > most) socket.destroy();
  };
}

/**
 * @param {Guard} guard
 * @param {PrepareRequestFunctionOpts} asked
 */
async function decide(guard, { request, hostname, port, isHttp }) {
  const asking = isHttp && ASKING in request.headers;
  cleanHeaders(request);
  try {
    const route = await guard.route(hostname, port);
    // Connections are not kept: the next one may be another article's.
    return asking ? reply({}) : { ...route, httpAgent: new http.Agent() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (asking) return reply({ kind: error.kind, message: error.message });
    throw new RequestError("refused", 403);
  }
}

/** @param {{kind?: string, message?: string}} refused */
const reply = (refused) => ({
  customResponseFunction: () => ({ statusCode: 200, body: JSON.stringify(refused) }),
});

/** The other end: what an extractor knows of its gateway. */
export class EgressGateway {
  /** @param {string} url */
  constructor(url) {
    if (!/^http:\/\/./.test(url) || !URL.canParse(url))
      throw new Error("--egress-gateway needs http://HOST:PORT");
    this.url = new URL(url).origin;
  }

  /**
   * Throws Refused, with the reason, where a host may not be reached.
   * @param {string} host
   * @param {number} port
   */
  async ask(host, port) {
    const { kind, message } = await this.#ask(`http://${host}:${port}/`).catch(() => closed);
    if (kind) throw new Refused(kind, message);
  }

  /** @param {string} target */
  async #ask(target) {
    const headers = { host: new URL(target).host, [ASKING]: "may I" };
    const signal = AbortSignal.timeout(LIMITS.dnsMs + 1_000);
    const request = http.request(this.url, { path: target, headers, signal, agent: false });
    request.on("error", () => {}); // the first is thrown below, a later one adds nothing
    const [response] = await once(request.end(), "response");
    return JSON.parse(Buffer.concat(await response.toArray()).toString());
  }
}

const closed = { kind: "closed", message: "Nexus has no way to the web just now: try again later" };
