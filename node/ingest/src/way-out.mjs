/**
 * A way out for extractors that have none of their own, such as those on an internal network: the
 * same guard, on a machine that reaches the web. It trusts nobody who asks: every connection is
 * checked here again, whatever was answered before.
 */

import { once } from 'node:events';
import http from 'node:http';

import { RequestError, Server } from 'proxy-chain';

import { dropProxyHeader } from './egress.mjs';
import { Refused } from './guard.mjs';
import { LIMITS } from './limits.mjs';

/** Scripts of a page cannot send it: browsers reserve names that begin with "proxy-". */
const ASKING = 'proxy-nexus-ask';

/** Start the proxy; answers `{port, stop()}`. */
export async function openWayOut({ guard, host, port }) {
  const server = new Server({
    host,
    port,
    prepareRequestFunction: (asked) => decide(guard, asked),
  });
  server.server.maxConnections = LIMITS.wayOutConnections;
  // Longer than any article: a connection is never closed just when it is used again.
  server.server.keepAliveTimeout = LIMITS.wayOutIdleMs;
  server.server.on('connection', (socket) => socket.setTimeout(LIMITS.wayOutIdleMs));
  await server.listen();
  return { port: server.port, stop: () => server.close(true) };
}

async function decide(guard, { request, hostname, port, isHttp }) {
  const asking = isHttp && ASKING in request.headers;
  dropProxyHeader(request.rawHeaders);
  try {
    const way = await guard.way(hostname, port);
    // Connections are not kept: the next one may be another article's.
    return asking ? answer({}) : { ...way, httpAgent: new http.Agent() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (asking) return answer({ kind: error.kind, message: error.message });
    throw new RequestError('refused', 403);
  }
}

const answer = (refused) => ({
  customResponseFunction: () => ({ statusCode: 200, body: JSON.stringify(refused) }),
});

/** The other end: what an extractor knows of its way out. */
export class WayOut {
  constructor(url) {
    this.url = new URL(url).origin;
  }

  /** Throws Refused, with the reason, where a host may not be reached. */
  async ask(host, port) {
    const { kind, message } = await this.#ask(`http://${host}:${port}/`).catch(() => closed);
    if (kind) throw new Refused(kind, message);
  }

  async #ask(target) {
    const headers = { host: new URL(target).host, [ASKING]: 'may I' };
    const signal = AbortSignal.timeout(LIMITS.dnsMs + 1_000);
    const request = http.request(this.url, { path: target, headers, signal, agent: false });
    request.on('error', () => {}); // the first is thrown below, a later one says nothing new
    const [response] = await once(request.end(), 'response');
    return JSON.parse(Buffer.concat(await response.toArray()));
  }
}

const closed = { kind: 'closed', message: 'Nexus has no way to the web just now: try again later' };
