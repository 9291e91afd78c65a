/**
 * `pdf-text.mjs FILE ROUNDS`: reads the pages of a PDF with pdf.js alone, then with our rule for their
 * text, then all that the extractor reads; turn by turn in one process. Prints the best of each in
 * milliseconds of processor time: none of them waits for anything.
 */

import { readFileSync } from "node:fs";

import { pageText, TEXT_CONTENT_OPTIONS } from "../canonical/pdf/page-text.mjs";
import { DOCUMENT_OPTIONS, loadPdfjs } from "../node/ingest/src/pdf/pdfjs.mjs";
import { readPdf } from "../node/ingest/src/pdf/read.mjs";

const [, , file, rounds] = process.argv;
const bytes = readFileSync(file);
const pdfjs = await loadPdfjs();
const best = { bare: Infinity, text: Infinity, whole: Infinity };
const ways = {
  bare: (data) => pages(data, () => {}),
  text: (data) => pages(data, pageText),
  whole,
};
for (let round = 0; round < Number(rounds); round += 1) {
  for (const [name, read] of Object.entries(ways)) {
    const data = new Uint8Array(bytes);
    const started = process.cpuUsage();
    await read(data);
    const { user, system } = process.cpuUsage(started);
    best[name] = Math.min(best[name], (user + system) / 1000);
  }
}
console.log(JSON.stringify(best));

async function pages(data, use) {
  const document = await pdfjs.getDocument({ ...DOCUMENT_OPTIONS, data }).promise;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent(TEXT_CONTENT_OPTIONS);
    page.cleanup();
    use(items);
  }
}

async function whole(data) {
  for await (const line of readPdf(data)) JSON.stringify(line);
}
