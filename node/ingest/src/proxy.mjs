/** What the article's own proxy and the gateway have in common: nothing of a connection outlives it. */

import { RequestError, Server } from "proxy-chain";

/**
 * @import { IncomingMessage } from "node:http"
 * @import { Duplex } from "node:stream"
 * @import { HttpServerOptions } from "proxy-chain"
 */

const WITHOUT_BODY = ["GET", "HEAD", "DELETE", "OPTIONS"];

/**
 * A proxy that does not listen yet. `idleMs` of silence end a connection.
 * @param {{idleMs: number} & HttpServerOptions} options
 */
export function makeProxy({ idleMs, ...options }) {
  const proxy = new Server(options);
  // Of the server, not of each socket: Node sets a kept connection's back with every request.
  proxy.server.timeout = idleMs;
  proxy.server.on("connect", (_request, socket) => endTogether(socket));
  return proxy;
}

/**
 * The library closes only our half of a tunnel: a site that never closes its own would keep it.
 * @param {Duplex} socket
 */
function endTogether(socket) {
  socket.once("end", () => socket.destroy());
  socket.once("pipe", (target) => socket.once("close", () => target.destroy()));
}

/**
 * The site learns nothing of a proxy, and is requested under the host that was checked.
 * @param {IncomingMessage} request
 */
export function cleanHeaders({ method = "", url = "", rawHeaders }) {
  if (method === "CONNECT") return;
  const names = rawHeaders
    .filter((_text, index) => index % 2 === 0)
    .map((name) => name.toLowerCase());
  if (WITHOUT_BODY.includes(method) && names.includes("transfer-encoding")) {
    // The library sends it on without its frames, and what is in it would be the next request.
    throw new RequestError("a body where none belongs", 400);
  }
  for (let at = names.length - 1; at >= 0; at -= 1) {
    if (names[at] === "host") rawHeaders[2 * at + 1] = new URL(url).host;
    else if (names[at].startsWith("proxy-")) rawHeaders.splice(2 * at, 2);
  }
}
