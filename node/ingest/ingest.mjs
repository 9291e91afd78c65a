#!/usr/bin/env node
/**
 * Fetches web pages in a real browser and extracts the article.
 *
 *   ingest.mjs            one request on stdin, one article on stdout, then exit
 *   ingest.mjs --serve    one request per line, one answer per line, until stdin ends
 *
 * Exit codes of the first: 0 done, 10 timeout, 11 fetch failed, 12 no article found; the last line
 * of stderr says why. Options of the second: --concurrency N, --idle-seconds N, --max-articles N,
 * --max-memory-mb N.
 */

import { parseArgs } from 'node:util';

import { useOwnTemporaryDirectory } from './src/workdir.mjs';

const { stdin, stdout, stderr } = process;

const { values } = parseArgs({
  options: {
    serve: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '4' },
    'idle-seconds': { type: 'string', default: '5' },
    'max-articles': { type: 'string', default: '100' },
    'max-memory-mb': { type: 'string', default: '700' },
  },
});

useOwnTemporaryDirectory();
process.exitCode = values.serve ? await serveUntilTold() : await once();
process.exit();

async function once() {
  const { runOnce } = await import('./src/oneshot.mjs');
  return runOnce({ input: stdin, output: stdout, errors: stderr });
}

async function serveUntilTold() {
  const { serve } = await import('./src/serve.mjs');
  const parent = process.ppid;
  const server = serve({
    input: stdin,
    output: stdout,
    errors: stderr,
    concurrency: number('concurrency'),
    idleMs: number('idle-seconds') * 1_000,
    maxArticles: number('max-articles'),
    maxMemoryBytes: number('max-memory-mb') * 1024 * 1024,
  });
  process.once('SIGTERM', server.stop).once('SIGINT', server.stop);
  // With nobody left to read the answers there is nothing to finish.
  stdout.on('error', server.stop);
  stdin.once('end', () => process.ppid !== parent && server.stop());
  await server.done;
  return 0;
}

function number(name) {
  const value = Number(values[name]);
  if (value > 0) return value;
  stderr.write(`--${name} needs a number greater than 0\n`);
  return process.exit(2);
}
