/** A process that was stopped for a while notices it, whether or not it had a turn since. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { LIMITS } from "../src/limits.mjs";
import { limitAwake, Standstill } from "../src/standstill.mjs";

beforeEach(() => mock.timers.enable({ apis: ["Date", "setInterval"] }));
afterEach(() => mock.timers.reset());

test("time that passes as usual is no standstill", () => {
  const standstill = new Standstill();
  for (let second = 0; second < 60; second += 1) mock.timers.tick(1_000);
  assert.equal(standstill.noticed, false);
  standstill.stop();
});

test("time that passed without us is one, at once and from then on", () => {
  const standstill = new Standstill();
  mock.timers.setTime(Date.now() + LIMITS.standstillMs + 1);
  assert.equal(standstill.noticed, true);
  for (let second = 0; second < 60; second += 1) mock.timers.tick(1_000);
  assert.equal(standstill.noticed, true);
  standstill.stop();
});

test("a limit counts the turns a process has, not the time that passes without it", () => {
  let late = false;
  limitAwake(1_000, () => {
    late = true;
  });
  for (let step = 0; step < 9; step += 1) mock.timers.tick(100);
  mock.timers.setTime(Date.now() + 60_000);
  assert.equal(late, false);
  mock.timers.tick(100);
  assert.equal(late, true);
});

test("a limit that was called off does not come", () => {
  const stop = limitAwake(1_000, () => assert.fail("it came"));
  stop();
  for (let step = 0; step < 20; step += 1) mock.timers.tick(100);
});
