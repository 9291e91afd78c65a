import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXTS = /\.(js|mjs|css|svg|wasm)$/;
/** Less fits into the packet that is sent anyway. */
const MIN_BYTES = 1_000;

/**
 * Writes each asset compressed beside itself, once and as small as can be; the server only chooses.
 * Browsers take Brotli over HTTPS alone: gzip is for those on a plain home network.
 */
export function compressedAssets(): Plugin {
  let dist = "";
  return {
    name: "compressed-assets",
    apply: "build",
    configResolved({ root, build }) {
      dist = resolve(root, build.outDir, build.assetsDir);
    },
    closeBundle() {
      for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
        if (TEXTS.test(file)) compress(join(dist, file));
      }
    },
  };
}

function compress(path: string): void {
  const bytes = readFileSync(path);
  if (bytes.length < MIN_BYTES) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}
