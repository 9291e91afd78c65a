#!/usr/bin/env node
/**
 * Reads one PDF: `{"size": …, "timeout_ms": …}` on a line of stdin, then so many bytes. What is in it
 * comes as lines on stdout, described in `src/pdf/run.mjs`. Exit codes: those of `ingest.mjs`, 16 for
 * a password, 17 for a broken file, 18 for one beyond the limits.
 */

import { runPdf } from "./src/pdf/run.mjs";

const { stdin, stdout, stderr } = process;

// With nobody left to read what is in it there is nothing to finish.
stdout.on("error", () => process.exit(0));
process.exitCode = await runPdf({ input: stdin, output: stdout, errors: stderr });
process.exit();
