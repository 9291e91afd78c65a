/** The browser as a process: what is said when it does not start. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Browser } from "../src/browser-process.mjs";
import { LIMITS } from "../src/limits.mjs";

/** A program in place of the browser. */
function standIn(script, program = "/bin/sh") {
  return new Browser(program, { args: ["-c", script], env: process.env });
}

/** @type {[string, () => Browser, RegExp][]} */
const ENDINGS = [
  ["its own words", () => standIn("echo no display >&2; exit 1"), /^no display$/],
  ["the signal that ended it", () => standIn("kill -9 $$"), /^it ended at once, by SIGKILL$/],
  ["its status", () => standIn("exit 3"), /^it ended at once, with status 3$/],
  ["why it could not be run", () => standIn("", "/nowhere/browser"), /ENOENT/],
];
for (const [what, browser, message] of ENDINGS) {
  test(`a browser that does not start is reported by ${what}`, async () => {
    const started = browser();
    await assert.rejects(started.started(), { message });
    await started.close();
  });
}

test("a browser that says nothing is ended, and that is said", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const silent = standIn("exec sleep 600");
  const started = assert.rejects(silent.started(), { message: "it did not respond" });
  t.mock.timers.tick(LIMITS.startBrowserMs);
  await started;
  await silent.close();
});
