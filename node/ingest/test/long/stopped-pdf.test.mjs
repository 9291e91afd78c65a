/** The program that reads PDFs, and one that keeps it busy: for real what `pdf.test.mjs` plays. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { LIMITS } from "../../src/limits.mjs";
import { until } from "../support/patience.mjs";
import { endlessPdf, readPdf, requestFor, startPdf } from "../support/pdf.mjs";

test("a file that takes too long shows life until it is given up", async () => {
  const { code, lines, text } = await readPdf(endlessPdf(), { timeout_ms: 4_000 });
  assert.deepEqual([code, lines.at(-1).code], [18, "too_complex"]);
  assert.match(text, /"alive":true/);
});

test("a program that was stopped for a while does not blame the file", async () => {
  const program = startPdf();
  const data = endlessPdf();
  program.child.stdin.write(requestFor(data, { timeout_ms: 4_000 }));
  program.child.stdin.write(data);
  await until(() => program.written().includes("alive"), "it reads");
  program.child.kill("SIGSTOP");
  const stoppedAt = Date.now();
  await until(() => Date.now() - stoppedAt > LIMITS.standstillMs + 500, "it stood still");
  program.child.kill("SIGCONT");
  const { code, lines } = await program.lines();
  assert.deepEqual([code, lines.at(-1).code], [14, "interrupted"]);
});
