// Prints the reader's text module as one script that sets the global `NexusReader`. Run in
// apps/web, for its packages.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(pathToFileURL(`${process.cwd()}/`));
const { build } = await import(pathToFileURL(require.resolve('vite')).href);
const output = await build({
  configFile: false,
  root: process.cwd(),
  logLevel: 'error',
  build: {
    write: false,
    lib: { entry: `${process.cwd()}/${process.argv[2]}`, name: 'NexusReader', formats: ['iife'] },
  },
});
const [bundle] = Array.isArray(output) ? output : [output];
process.stdout.write(bundle.output[0].code);
