/** Servers on loopback. */

import { once } from "node:events";

/** Listen on a free port, and return it. */
export async function listenOnLoopback(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server.address().port;
}
