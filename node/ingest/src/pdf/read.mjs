/**
 * Reads a PDF: the text of its pages as they come, the HTML of the text view in pieces, then what the
 * file says about itself. Everything is yielded as lines of the reply.
 */

import { pageText, TEXT_CONTENT_OPTIONS } from "../../../../canonical/pdf/page-text.mjs";
import { IngestError, pdfInvalid, pdfPassword, tooComplex } from "../errors.mjs";
import { LIMITS } from "../limits.mjs";
import { BlockRenderer, layoutDocument } from "./layout/index.mjs";
import { readMetadata } from "./metadata.mjs";
import { Outline } from "./outline.mjs";
import { DOCUMENT_OPTIONS, loadPdfjs } from "./pdfjs.mjs";

/**
 * @import { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs"
 * @import { Entry } from "./outline.mjs"
 * @typedef {NonNullable<Awaited<ReturnType<typeof readPage>>>} ReadPage
 */

/**
 * @param {Uint8Array} data
 * @returns {AsyncGenerator<object>}
 */
export async function* readPdf(data) {
  const pdfjs = await loadPdfjs();
  const document = await open(pdfjs, data);
  if (document.numPages > LIMITS.pdfPages) {
    throw tooComplex(`This PDF has more than ${LIMITS.pdfPages} pages.`);
  }
  const outline = await orElse(Outline.read(document), new Outline());
  yield* readPages(document, outline);
  yield {
    outline: outline.entries,
    labels: await orElse(document.getPageLabels(), null),
    metadata: await orElse(readMetadata(document), null),
    fingerprint: document.fingerprints[0],
    version: pdfjs.version,
  };
}

/**
 * @param {Awaited<ReturnType<typeof loadPdfjs>>} pdfjs
 * @param {Uint8Array} data
 */
async function open(pdfjs, data) {
  try {
    const document = await pdfjs.getDocument({ ...DOCUMENT_OPTIONS, data }).promise;
    if (document.numPages > 0) return document;
  } catch (error) {
    if (error.name === "PasswordException") throw pdfPassword();
    // Whatever else goes wrong in its parser comes as an UnknownErrorException.
    if (/^(InvalidPDF|Format|UnknownError)/.test(error.name)) throw pdfInvalid(error.message);
    throw error;
  }
  throw pdfInvalid("it has no pages");
}

/**
 * Pages are laid out in batches, so that a long document need not be held at once.
 * @param {PDFDocumentProxy} document
 * @param {Outline} outline
 */
async function* readPages(document, outline) {
  /** @type {ReadPage[]} */
  let batch = [];
  /** @type {Entry[]} */
  let entries = [];
  let items = 0;
  let characters = 0;
  let broken = 0;
  const renderer = new BlockRenderer();
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await readPage(document, number);
    if (!page) broken += 1;
    yield { page: number, text: page?.text ?? "" };
    if (page) {
      entries.push(...outline.visit(page));
      batch.push(page);
      items += page.items.length;
      characters += page.text.length;
    }
    if (characters > LIMITS.pdfTextChars) throw tooComplex("This PDF has too much text.");
    if (items < LIMITS.pdfBatchItems && number < document.numPages) continue;
    for (const html of renderer.render(blocksOf(batch, entries), batch)) yield { html };
    batch = [];
    entries = [];
    items = 0;
  }
  if (broken === document.numPages) throw pdfInvalid("none of its pages could be read");
}

/**
 * A page that pdf.js cannot read is none; the reader will not be able to draw it either.
 * @param {PDFDocumentProxy} document
 * @param {number} number
 */
async function readPage(document, number) {
  try {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1, rotation: 0 });
    const { items, styles } = await page.getTextContent(TEXT_CONTENT_OPTIONS);
    page.cleanup();
    const texts = /** @type {import("pdfjs-dist/types/src/display/api.js").TextItem[]} */ (items);
    return { number, ref: page.ref, width, height, items: texts, styles, ...pageText(texts) };
  } catch (error) {
    if (error instanceof RangeError && /allocation/.test(error.message)) throw error;
    return null;
  }
}

/**
 * A fault in the layout costs the paragraphs, not the document.
 * @param {ReadPage[]} pages
 * @param {Entry[]} outline
 */
function blocksOf(pages, outline) {
  try {
    return layoutDocument({ pages, outline });
  } catch (error) {
    console.error(error);
    return pages
      .filter(({ text }) => text)
      .map(({ number, text }) => ({
        tag: /** @type {const} */ ("p"),
        parts: [{ page: number, start: 0, end: [...text].length }],
        inline: [],
        soft: [],
      }));
  }
}

/**
 * What is not the text itself is worth having, and no reason to fail.
 * @template T
 * @param {Promise<T>} value
 * @param {T} otherwise
 */
async function orElse(value, otherwise) {
  try {
    return await value;
  } catch (error) {
    if (error instanceof IngestError) throw error;
    return otherwise;
  }
}
