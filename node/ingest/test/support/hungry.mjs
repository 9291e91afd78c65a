/** Pages that want more memory than they may have, each in another way. */

import { createGzip } from "node:zlib";

import { BODY } from "./site.mjs";

// With so little text a page is given seconds to show more, time enough to eat.
const page = (body) => (_request, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(`<!doctype html><title>Hungry</title><article><p>A few words.</p></article>${body}`);
};
const script = (code) => page(`<script>${code}</script>`);

/** Every attempt that fails is followed by a smaller one, so that all there is gets used. */
const GREEDY = `function greedy(take) {
  const kept = [];
  for (let size = 256 * 1024 * 1024; size > 1024 * 1024;) {
    try { kept.push(take(size)); } catch { size /= 2; }
    if (kept.length > 4000) break;
  }
  return kept;
}`;

/** An article that takes so much, and no more, before it shows its text. */
export const taking = (mib) =>
  script(`fetch('/together').then(() => {
    window.kept = Array.from({ length: ${mib} }, () => new Uint8Array(1024 * 1024).fill(1));
    return fetch('/while');
  }).then(() => { document.body.innerHTML = ${JSON.stringify(BODY)}; });`);

/** Responds when `many` have asked, and at once from then on. */
export function together(many) {
  const waiting = [];
  return (_request, response) => {
    waiting.push(response);
    if (waiting.length >= many) for (const each of waiting) each.end();
  };
}

/** A stream of `bytes` that says the same all the time, packed a thousandfold. */
const packed = (type, bytes, start) => (_request, response) => {
  response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
  const gzip = createGzip({ level: 1 });
  gzip.pipe(response);
  gzip.on("error", () => {});
  response.on("close", () => gzip.destroy());
  gzip.write(start);
  const chunk = Buffer.alloc(4 * 1024 * 1024, " ");
  let left = bytes;
  const more = () => {
    while (left > 0 && !gzip.destroyed) {
      left -= chunk.length;
      if (!gzip.write(chunk)) return gzip.once("drain", more);
    }
    return gzip.end();
  };
  more();
};

/** By path. `HUNGRY` are the pages to be saved. */
export const HUNGRY = {
  "/buffers": script(`${GREEDY} window.kept = greedy((size) => new Uint8Array(size).fill(1));`),
  "/buffers-later": script(
    `${GREEDY} setTimeout(() => { window.kept = greedy((size) => new Uint8Array(size).fill(1)); }, 300);`,
  ),
  "/wasm": script(`${GREEDY} window.kept = greedy((size) => {
    const memory = new WebAssembly.Memory({ initial: size / 65536 });
    new Uint8Array(memory.buffer).fill(1);
    return memory;
  });`),
  "/worker":
    script(`const code = ${JSON.stringify(`${GREEDY} self.kept = greedy((size) => new Float64Array(size / 8).fill(1));`)};
    for (let n = 0; n < 4; n++) new Worker(URL.createObjectURL(new Blob([code]))); fetch('/never');`),
  "/strings": script(
    `const kept = []; for (let n = 0; ; n++) { kept.push(String(n) + 'x'.repeat(5e7)); kept[n].charCodeAt(3); document.title = kept[n]; }`,
  ),
  "/objects": script("const a = []; while (true) a.push(new Array(1e6).fill(Math.random()));"),
  "/elements": script(
    `for (;;) { const box = document.createElement('div'); box.innerHTML = '<p class="a b c" title="t">word <b>word</b></p>'.repeat(2e4); document.body.append(box); }`,
  ),
  "/texts": script(
    `for (let n = 0; ; n++) document.body.append(document.createTextNode(String(n).repeat(2e6)));`,
  ),
  "/canvas": script(
    `window.kept = []; for (let n = 0; n < 200; n++) { const c = document.createElement('canvas'); c.width = c.height = 8000; const g = c.getContext('2d', { willReadFrequently: true }); g.fillRect(n, 0, 8000, 8000); kept.push(g.getImageData(0, 0, 8000, 8000)); }`,
  ),
  "/blobs": script(
    `${GREEDY} window.kept = []; (async () => { const part = new Uint8Array(64 * 1024 * 1024).fill(1); for (let n = 0; n < 200; n++) { kept.push(new Blob([part])); await kept[n].slice(0, 1).arrayBuffer(); } })(); fetch('/never');`,
  ),
  "/frames": script(
    `for (let n = 0; n < 400; n++) { const f = document.createElement('iframe'); f.sandbox = 'allow-scripts'; f.srcdoc = '<script>const a = []; for (let n = 0; n < 8; n++) a.push(new Uint8Array(4e6).fill(1))<\\/script>'; document.body.append(f); } fetch('/never');`,
  ),
  "/data-frames": script(
    `for (let n = 0; n < 400; n++) { const f = document.createElement('iframe'); f.src = 'data:text/html,<script>window.a = new Uint8Array(2e7).fill(' + n + ')<\\/script>'; document.body.append(f); } fetch('/never');`,
  ),
  "/packed-script": page('<script src="/packed.js"></script>'),
  "/packed-page": packed("text/html", 1024 ** 3, `<!doctype html><p>${BODY}`),
  "/packed-fetch": script(
    `window.kept = []; for (let n = 0; n < 4; n++) fetch('/packed.js?' + n).then((r) => r.arrayBuffer()).then((b) => kept.push(b)); fetch('/never');`,
  ),
};

/** What they load. */
export const PARTS = {
  "/packed.js": packed("text/javascript", 1024 ** 3, "const text = 1;"),
  "/never": () => {},
  "/while": (_request, response) => setTimeout(() => response.end(), 2_000),
};
