// Prints the canonical-text module as one script that sets the global `NexusCanonical`, for tests
// that run it in a real browser.
import { fileURLToPath } from "node:url";
import { build } from "vite";

const output = await build({
  configFile: false,
  root: fileURLToPath(new URL("..", import.meta.url)),
  logLevel: "error",
  build: {
    write: false,
    minify: false,
    lib: {
      entry: fileURLToPath(new URL("../src/canonical/index.ts", import.meta.url)),
      name: "NexusCanonical",
      formats: ["iife"],
    },
  },
});
const [bundle] = Array.isArray(output) ? output : [output];
process.stdout.write(bundle.output[0].code);
