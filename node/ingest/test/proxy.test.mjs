/** Nothing of a connection outlives it, whatever the site at the other end does. */

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { after, afterEach, before, test } from "node:test";

import { Egress } from "../src/egress.mjs";
import { EgressGateway, openEgressGateway } from "../src/egress-gateway.mjs";
import { Guard } from "../src/guard.mjs";
import { listenOnLoopback } from "./support/loopback.mjs";
import { until } from "./support/patience.mjs";

/** A site that never closes its half. It stays open until the client is really gone, not half. */
const silent = createServer({ allowHalfOpen: true }, (socket) => {
  open.add(socket);
  let knocking;
  socket.once("end", () => {
    knocking = setInterval(() => socket.write("?"), 20);
  });
  socket.on("error", () => {});
  socket.once("close", () => {
    clearInterval(knocking);
    open.delete(socket);
  });
  socket.resume();
});
const open = new Set();
const closing = [];
let guard;
let target;

before(async () => {
  target = `127.0.0.1:${await listenOnLoopback(silent)}`;
  guard = new Guard({ allow: target });
});
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));
after(() => silent.close());

async function ownProxy() {
  const egress = new Egress(guard);
  const { port } = new URL(await egress.open());
  return { port: Number(port), close: () => egress.close() };
}

async function distantProxy() {
  const running = await openEgressGateway({ guard, host: "127.0.0.1", port: 0 });
  closing.push(running.stop);
  const gateway = new EgressGateway(`http://127.0.0.1:${running.port}`);
  const egress = new Egress(new Guard({ allow: target, gateway }));
  const { port } = new URL(await egress.open());
  return { port: Number(port), close: () => egress.close() };
}

async function bareGateway() {
  const running = await openEgressGateway({ guard, host: "127.0.0.1", port: 0 });
  return { port: running.port, close: running.stop };
}

const gone = () => until(() => open.size === 0, "the site has been left");

async function tunnel(port) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  assert.match(String(await once(socket, "data")), /^HTTP\/1.1 200/);
  return socket;
}

async function request(port) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`GET http://${target}/ HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  return socket;
}

async function several(way, port) {
  const sockets = await Promise.all(Array.from({ length: 8 }, () => way(port)));
  await until(() => open.size === 8, "the site is asked");
  return sockets;
}

/** The next socket on the other side of a port of ours. */
const acceptedBy = (port) =>
  new Promise((resolve) => {
    /** @param {any} message */
    const look = ({ socket }) => {
      if (socket.localPort !== port) return;
      unsubscribe("net.server.socket", look);
      resolve(socket);
    };
    subscribe("net.server.socket", look);
  });

for (const [name, start] of Object.entries({ ownProxy, distantProxy, bareGateway })) {
  for (const way of [tunnel, request]) {
    test(`${name}: a ${way.name} to a silent site ends with the client that opened it`, async () => {
      const proxy = await start();
      closing.push(proxy.close);
      for (const leave of ["end", "destroy", "resetAndDestroy"]) {
        for (const socket of await several(way, proxy.port)) socket[leave]();
        await gone();
      }
    });

    test(`${name}: a ${way.name} to a silent site ends with the article`, async () => {
      const proxy = await start();
      await several(way, proxy.port);
      await proxy.close();
      await gone();
    });
  }
}

test("silence ends a connection, also one that was used before", async () => {
  const idleMs = 3_600_000;
  const running = await openEgressGateway({ guard, host: "127.0.0.1", port: 0, idleMs });
  closing.push(running.stop);
  const accepted = acceptedBy(running.port);
  const socket = connect(running.port, "127.0.0.1");
  const inside = await accepted;
  const get = (extra) =>
    socket.write(`GET http://${target}/ HTTP/1.1\r\nHost: ${target}\r\n${extra}\r\n`);
  get("Proxy-Nexus-Ask: may I\r\n");
  assert.match(String(await once(socket, "data")), /^HTTP\/1.1 200/);
  get("");
  await until(() => open.size === 1, "it is used again");
  assert.equal(inside.timeout, idleMs, "the limit is still set");
  inside.emit("timeout"); // as it does after so much silence
  await once(socket.resume(), "close");
  await gone();
});

test("a refused request leaves the connection to the next one, body and all", async () => {
  const { port, close } = await ownProxy();
  closing.push(close);
  const socket = connect(port, "127.0.0.1");
  closing.push(async () => socket.destroy());
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk;
  });
  const refused = () => heard.match(/^HTTP\/1.1 403/gm)?.length ?? 0;
  const body = "GET http://10.0.0.2/ HTTP/1.1\r\n\r\n".repeat(1_000);
  socket.write(
    `POST http://10.0.0.1/ HTTP/1.1\r\nHost: 10.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await until(() => refused() === 1, "the first is refused");
  socket.write("GET http://10.0.0.1/ HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n");
  await until(() => refused() === 2, "so is the next, and the body is no request");
  assert.equal(open.size, 0);
});
