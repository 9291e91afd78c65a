/** A page's time: given up at its limit to the millisecond, and cut off from the network before. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { LIMITS } from "../src/limits.mjs";
import { PageLoad } from "../src/page-load.mjs";

beforeEach(() => mock.timers.enable({ apis: ["Date", "setTimeout"] }));
afterEach(() => mock.timers.reset());

/** Starts to load a page of a browser that responds to nothing. */
function start(timeoutMs) {
  const listeners = new Map();
  const session = {
    send: () => new Promise(() => {}),
    on: (name, listener) => listeners.set(name, [...(listeners.get(name) ?? []), listener]),
  };
  const egress = { cutOff: mock.fn(), refusal: () => undefined };
  const page = { session, target: "main", close: async () => {} };
  const load = new PageLoad(/** @type {any} */ (page), /** @type {any} */ (egress));
  const read = () => assert.fail("it has not arrived");
  const outcome = { code: "" };
  load.run("http://site.example/", { deadline: Date.now() + timeoutMs, read }).catch((error) => {
    outcome.code = error.code;
  });
  const emit = (name, event) => {
    for (const listener of listeners.get(name) ?? []) listener({ frameId: "main", ...event });
  };
  return { egress, outcome, emit };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a page that never arrives is given up at its limit", async () => {
  const { outcome, egress } = start(1_500);
  mock.timers.tick(1_499);
  await turn();
  assert.equal(outcome.code, "");
  mock.timers.tick(1);
  await turn();
  assert.equal(outcome.code, "timeout");
  assert.equal(egress.cutOff.mock.callCount(), 0, "its own text was still on its way");
});

test("a page that is here waits for the rest of it no longer than its share", async () => {
  const { egress, emit } = start(2_000);
  const request = { url: "http://site.example/", method: "GET" };
  emit("Network.requestWillBeSent", { requestId: "1", loaderId: "1", type: "Document", request });
  emit("Network.loadingFinished", { requestId: "1" });
  mock.timers.tick(2_000 * LIMITS.cutOffShare - 1);
  assert.equal(egress.cutOff.mock.callCount(), 0);
  mock.timers.tick(1);
  assert.equal(egress.cutOff.mock.callCount(), 1);
});
