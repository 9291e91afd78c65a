/** The egress gateway on its own: how it replies to those who ask first, and to those who do not. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { EgressGateway, openEgressGateway } from "../src/egress-gateway.mjs";
import { Guard, Refused } from "../src/guard.mjs";
import { LIMITS } from "../src/limits.mjs";
import { listenOnLoopback } from "./support/loopback.mjs";
import { until } from "./support/patience.mjs";

const inner = createServer((_request, response) => response.end("inner"));
let innerPort;
let running;
let gateway;

before(async () => {
  innerPort = await listenOnLoopback(inner);
  const resolve = async (host) => (host === "site.example" ? ["198.41.0.4"] : []);
  const guard = new Guard({ allow: `127.0.0.1:${innerPort}`, resolve });
  running = await openEgressGateway({ guard, host: "127.0.0.1", port: 0 });
  gateway = new EgressGateway(`http://127.0.0.1:${running.port}/`);
});
after(async () => {
  await running.stop();
  inner.close();
});

async function responseTo(method, target, host) {
  const socket = connect(running.port, "127.0.0.1");
  const headers = [
    `Host: ${host}`,
    "Proxy-Connection: close",
    "Proxy-Foo: bar",
    "Connection: close",
  ];
  socket.write([`${method} ${target} HTTP/1.1`, ...headers, "", ""].join("\r\n"));
  return Buffer.concat(await socket.toArray()).toString();
}

/** @type {[string, number, string, RegExp][]} */
const REFUSED = [
  ["10.0.0.1", 80, "private", /not public/],
  ["[::1]", 80, "private", /not public/],
  ["localhost", 80, "private", /not public/],
  ["site.example", 8080, "port", /port 8080/],
  ["nowhere.example", 443, "unknown", /nowhere.example could not be found/],
];
for (const [host, port, kind, message] of REFUSED) {
  test(`a client that asks for ${host} on port ${port} is told why not`, async () => {
    await assert.rejects(gateway.ask(host, port), (error) => {
      assert.ok(error instanceof Refused);
      assert.equal(error.kind, kind);
      assert.match(error.message, message);
      return true;
    });
  });
}

test("a client that asks for a public site gets no objection", async () => {
  await gateway.ask("site.example", 443);
});

test("a client that does not ask is refused all the same", async () => {
  const hosts = ["127.0.0.1:1", `localhost:${innerPort}`, "10.0.0.1:443", "[::1]:443"];
  for (const host of hosts) {
    assert.match(await responseTo("CONNECT", host, host), /^HTTP\/1.1 403/);
    assert.match(await responseTo("GET", `http://${host}/`, host), /^HTTP\/1.1 403/);
    assert.match(await responseTo("GET", `http://${host}/`, "site.example"), /^HTTP\/1.1 403/);
  }
});

test("what is listed is reached, and the site learns of no proxy", async () => {
  const host = `127.0.0.1:${innerPort}`;
  const seen = once(inner, "request");
  assert.match(await responseTo("GET", `http://${host}/`, host), /inner$/);
  const [{ headers }] = await seen;
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.startsWith("proxy")),
    [],
  );
});

test("the site is asked for as whom it was checked", async () => {
  const host = `127.0.0.1:${innerPort}`;
  const seen = once(inner, "request");
  await responseTo("GET", `http://${host}/`, "another.example");
  assert.equal((await seen)[0].headers.host, host);
});

test("a second request cannot be hidden in the body of the first", async () => {
  const host = `127.0.0.1:${innerPort}`;
  const asked = [];
  const note = ({ url }) => asked.push(url);
  inner.on("request", note);
  const hidden = `GET /hidden HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const socket = connect(running.port, "127.0.0.1");
  socket.write(
    `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
  );
  socket.write(`${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`);
  assert.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1.1 400/);
  inner.off("request", note);
  assert.deepEqual(asked, []);
});

test("one address may take its share and no more", async () => {
  const sockets = Array.from({ length: LIMITS.gatewayConnectionsEach + 8 }, () =>
    connect(running.port, "127.0.0.1"),
  );
  let closed = 0;
  for (const socket of sockets) socket.on("error", () => {}).once("close", () => (closed += 1));
  await until(() => closed === 8, "those over the limit are closed");
  for (const socket of sockets) socket.destroy();
  await until(
    () =>
      gateway.ask("site.example", 443).then(
        () => true,
        () => false,
      ),
    "there is room again",
  );
});

test("an egress gateway without http:// is refused at once", () => {
  for (const url of ["egress-gateway:8431", "https://egress-gateway:8431", "http://"]) {
    assert.throws(() => new EgressGateway(url), /needs http/);
  }
});

test("an egress gateway that is gone is reported, not waited for", async () => {
  const own = await openEgressGateway({ guard: new Guard(), host: "127.0.0.1", port: 0 });
  await own.stop();
  const gone = new EgressGateway(`http://127.0.0.1:${own.port}`);
  await assert.rejects(gone.ask("site.example", 443), {
    kind: "closed",
    message: /no way to the web/,
  });
});
