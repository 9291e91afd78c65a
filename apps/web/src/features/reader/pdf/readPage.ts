import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { TextContent, TextItem } from "pdfjs-dist/types/src/display/api";
import { pageText, TEXT_CONTENT_OPTIONS } from "../../../../../../canonical/pdf/page-text.mjs";

/** What pdf.js finds on a page, and the text that follows from it by the rule of the server. */
export async function readPage(page: PDFPageProxy) {
  const content: TextContent = await page.getTextContent(TEXT_CONTENT_OPTIONS);
  // Marked content is not asked for.
  const items = content.items as TextItem[];
  return { content, items, ...pageText(items) };
}
