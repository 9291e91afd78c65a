/**
 * Shows what the layout makes of PDFs, and which share of the time for reading them it takes:
 *   node test/by-hand/pdf-layout.mjs [--quiet] file.pdf …
 */

import { readFileSync } from "node:fs";

import { pageText, TEXT_CONTENT_OPTIONS } from "../../../../canonical/pdf/page-text.mjs";
import { BlockRenderer, layoutDocument } from "../../src/pdf/layout/index.mjs";
import { DOCUMENT_OPTIONS, loadPdfjs } from "../../src/pdf/pdfjs.mjs";

const pdfjs = await loadPdfjs();

const isQuiet = process.argv[2] === "--quiet";
for (const path of process.argv.slice(isQuiet ? 3 : 2)) {
  try {
    await show(path);
  } catch (error) {
    console.log(`${path}: ${error.message}`);
  }
}

async function show(path) {
  const data = new Uint8Array(readFileSync(path));
  const task = pdfjs.getDocument({ ...DOCUMENT_OPTIONS, data });
  const reading = process.cpuUsage();
  const document = await task.promise;
  const read = await pagesOf(document);
  const readMs = milliseconds(reading);
  const pages = read.map((page) => ({ ...page, ...pageText(page.items) }));
  const outline = await outlineOf(document);
  const layingOut = process.cpuUsage();
  const blocks = layoutDocument({ pages, outline });
  const html = [...new BlockRenderer().render(blocks, pages)];
  const layoutMs = milliseconds(layingOut);
  if (!isQuiet) console.log(html.join("\n"));
  const share = (layoutMs / readMs).toFixed(3);
  console.log(`${path}: ${pages.length} pages, ${blocks.length} blocks, ${layoutMs} ms, ${share}`);
  await task.destroy();
}

function milliseconds(before) {
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1000);
}

async function pagesOf(document) {
  const pages = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const { items, styles } = await page.getTextContent(TEXT_CONTENT_OPTIONS);
    pages.push({ number, width, height, items, styles });
    page.cleanup();
  }
  return pages;
}

async function outlineOf(document) {
  const entries = [];
  const add = async (nodes, level) => {
    for (const { title, dest, items } of nodes ?? []) {
      const to = typeof dest === "string" ? await document.getDestination(dest) : dest;
      const page = to?.[0] ? (await document.getPageIndex(to[0])) + 1 : 0;
      entries.push({ label: title, page, level });
      await add(items, level + 1);
    }
  };
  await add(await document.getOutline(), 1);
  return entries;
}
