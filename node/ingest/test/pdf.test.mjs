/** The program that reads PDFs: what it writes, and how it ends. */

import assert from "node:assert/strict";
import { connect } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, describe, mock, test } from "node:test";

import { LIMITS } from "../src/limits.mjs";
import { runPdf } from "../src/pdf/run.mjs";
import { below } from "../src/processes.mjs";
import { endAll, isRunning, startListener } from "./support/extractor.mjs";
import { until } from "./support/patience.mjs";
import { endlessPdf, linesOf, pdfOf, readPdf, requestFor, startPdf } from "./support/pdf.mjs";

const TWO_PAGES = pdfOf(["One exam-", "ple"], ["Two"]);

test("pages come first, then the text view, then what the file says about itself", async () => {
  const { code, lines } = await readPdf(TWO_PAGES);
  assert.equal(code, 0);
  assert.deepEqual(lines.slice(0, 2), [
    { page: 1, text: "One exam-ple" },
    { page: 2, text: "Two" },
  ]);
  const shown = lines.map(({ html = "" }) => html).join("");
  const text = shown.replace(/<\/?p>/g, " ").replace(/<[^>]*>/g, "");
  assert.equal(text.trim(), "One exam-ple Two");
  const { outline, labels, fingerprint, version } = lines.at(-2);
  assert.deepEqual([outline, labels, version], [[], null, "5.5.207"]);
  assert.match(fingerprint, /^[\da-f]{32}$/);
  assert.deepEqual(lines.at(-1), { ok: true });
});

test("what follows the announced bytes is not read", async () => {
  const program = startPdf();
  program.child.stdin.write(requestFor(TWO_PAGES));
  program.child.stdin.write(Buffer.concat([TWO_PAGES, Buffer.alloc(1_000_000)]));
  assert.deepEqual((await program.lines()).lines.at(-1), { ok: true });
});

test("a file that breaks off on its way is not the file's fault", async () => {
  const program = startPdf();
  program.child.stdin.write(requestFor(TWO_PAGES));
  program.child.stdin.end(TWO_PAGES.subarray(0, 100));
  const { code, lines } = await program.lines();
  assert.deepEqual([code, lines.at(-1).code], [14, "interrupted"]);
});

test("a broken file says so", async () => {
  const { code, lines } = await readPdf(Buffer.from("%PDF-1.7\nnothing else"));
  assert.deepEqual([code, lines.at(-1).code], [17, "invalid"]);
});

test("a page that cannot be read does not cost the others", async () => {
  const broken = Buffer.from(
    TWO_PAGES.toString("latin1").replace("/Contents 4 0 R", "/Contents (X)X"),
    "latin1",
  );
  const { code, lines } = await readPdf(broken);
  assert.equal(code, 0);
  assert.deepEqual(lines[1], { page: 2, text: "Two" });
});

test("an announcement beyond the limit is refused before any bytes", async () => {
  const program = startPdf();
  program.child.stdin.write(requestFor({ length: 101 * 1024 * 1024 }));
  const { code, lines } = await program.lines();
  assert.deepEqual([code, lines.at(-1).code], [18, "too_complex"]);
});

describe("a file that takes too long", () => {
  beforeEach(() => mock.timers.enable({ apis: ["Date", "setInterval", "setTimeout"] }));
  afterEach(() => mock.timers.reset());

  const STEP_MS = 100;

  /** Reads such a file in this process; `step()` passes a little time, in which nothing else does. */
  function start() {
    const data = endlessPdf();
    const output = new PassThrough().setEncoding("utf8");
    const reading = { steps: 0, text: "", code: 0 };
    output.on("data", (part) => {
      reading.text += part;
    });
    const input = Readable.from([Buffer.from(requestFor(data, { timeout_ms: 4_000 })), data]);
    runPdf({ input, output, errors: process.stderr }).then((code) => {
      reading.code = code;
    });
    const step = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      mock.timers.tick(STEP_MS);
      reading.steps += 1;
    };
    const last = () => JSON.parse(reading.text.trim().split("\n").at(-1));
    return { reading, step, last };
  }

  test("shows life until it is given up, at its limit", async () => {
    const { reading, step, last } = start();
    while (!reading.text) await step();
    assert.deepEqual(last(), { alive: true });
    while (!reading.code) await step();
    assert.deepEqual([reading.code, last().code], [18, "too_complex"]);
    const given = reading.steps * STEP_MS;
    assert.ok(given >= 4_000 && given < 6_000, `${given} ms, with some for the file to arrive`);
  });

  test("is not blamed where the program was stopped meanwhile", async () => {
    const { reading, step, last } = start();
    while (!reading.text) await step();
    mock.timers.setTime(Date.now() + LIMITS.standstillMs + 1);
    while (!reading.code) await step();
    assert.deepEqual([reading.code, last().code], [14, "interrupted"]);
  });
});

describe("through a listener", () => {
  afterEach(endAll);

  async function send(port, data, more) {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", () => resolve(linesOf(text))));
    socket.write(requestFor(data, more));
    socket.write(data);
    return { socket, closed, written: () => text };
  }

  test("a connection that announces a PDF has a process for it", async () => {
    const listener = await startListener();
    const { closed } = await send(listener.port, TWO_PAGES);
    const lines = await closed;
    assert.deepEqual(lines[0], { page: 1, text: "One exam-ple" });
    assert.deepEqual(lines.at(-1), { ok: true });
  });

  test("a connection that ends takes its process with it", async () => {
    const listener = await startListener();
    const { socket, written } = await send(listener.port, endlessPdf());
    await until(() => written().includes("alive"), "it reads");
    const [child] = below(listener.process.pid);
    socket.destroy();
    await until(() => !isRunning(child), "the process is gone");
  });
});
