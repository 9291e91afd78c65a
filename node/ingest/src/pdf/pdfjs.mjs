/** pdf.js, as it runs here: for text alone, with no canvas, no network and nothing native. */

import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const BUILD = fileURLToPath(import.meta.resolve("pdfjs-dist/legacy/build/pdf.mjs"));
const PACKAGE = dirname(dirname(dirname(BUILD)));

/** @param {string} name */
const folder = (name) => join(PACKAGE, name) + sep;

/** The reader in the web app opens the file with the same options, so that both find the same text. */
export const DOCUMENT_OPTIONS = Object.freeze({
  cMapUrl: folder("cmaps"),
  cMapPacked: true,
  standardFontDataUrl: folder("standard_fonts"),
  wasmUrl: folder("wasm"),
  iccUrl: folder("iccs"),
  isEvalSupported: false,
  enableXfa: false,
  useSystemFonts: false,
  useWorkerFetch: false,
  disableFontFace: true,
  verbosity: 0,
});

/** Loaded once there is a file: it takes longer than reading most of them. */
export async function loadPdfjs() {
  // It wants these to exist when it is loaded; only drawing would use them.
  for (const name of ["DOMMatrix", "ImageData", "Path2D"]) Reflect.set(globalThis, name, class {});
  // It would also take a canvas that is installed; `--no-addons` makes that fail, with a warning.
  const { warn } = console;
  console.warn = () => {};
  try {
    return await import("pdfjs-dist/legacy/build/pdf.mjs");
  } finally {
    console.warn = warn;
  }
}
