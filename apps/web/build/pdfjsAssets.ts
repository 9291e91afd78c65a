import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "vite";

/** What pdf.js fetches while it works: without these, CJK text and scans fail in silence. */
const FOLDERS = ["cmaps", "standard_fonts", "wasm", "iccs"];

const manifest = createRequire(import.meta.url).resolve("pdfjs-dist/package.json");
const root = dirname(manifest);
/** As pdf.js asks for them; the version is in the name, so that they can be cached forever. */
const place = `assets/pdfjs-${JSON.parse(readFileSync(manifest, "utf8")).version}`;

/** Serves the data files of pdf.js from the app's own origin. */
export function pdfjsAssets(): Plugin {
  return {
    name: "pdfjs-assets",
    generateBundle() {
      for (const folder of FOLDERS) {
        for (const file of readdirSync(join(root, folder))) {
          const source = readFileSync(join(root, folder, file));
          this.emitFile({ type: "asset", fileName: `${place}/${folder}/${file}`, source });
        }
      }
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${place}`, (request, response) => {
        const [, folder = "", file = ""] = (request.url ?? "").split("/");
        if (!FOLDERS.includes(folder)) response.writeHead(404).end();
        else createReadStream(join(root, folder, basename(file))).pipe(response);
      });
    },
  };
}
