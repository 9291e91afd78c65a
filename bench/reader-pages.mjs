// What the reader opens a PDF with and reads its pages by.
export { FileRanges } from "../apps/web/src/features/reader/pdf/fileRanges";
export { openDocument } from "../apps/web/src/features/reader/pdf/pdfEngine";
export { readPage } from "../apps/web/src/features/reader/pdf/readPage";
