import {
  getDocument,
  type PDFDocumentProxy,
  PDFWorker,
  TextLayer,
  VerbosityLevel,
  version,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import type { FileRanges } from "./fileRanges";
import { CHUNK_BYTES, FileTransport } from "./fileTransport";

const ASSETS = `/assets/pdfjs-${version}`;
/** A picture of more pixels is left out rather than taking the tab with it. */
const MAX_IMAGE_PIXELS = 1 << 28;

export interface EngineInput {
  file: FileRanges;
  beginning: Promise<Response>;
  port: Worker;
  onError: (error: unknown) => void;
}

/** What must be closed again: pdf.js keeps everything until then. */
export interface OpenDocument {
  readonly document: PDFDocumentProxy;
  close(): Promise<void>;
}

/** Opens a file with pdf.js. */
export async function openDocument(input: EngineInput): Promise<OpenDocument> {
  const { file, beginning, port, onError } = input;
  const verbosity = VerbosityLevel.ERRORS;
  // Its type says that there is no port, and its code takes one.
  const worker = new PDFWorker({ port: port as never, verbosity });
  const { transport, hasRanges } = await FileTransport.open(file, beginning, onError);
  const task = getDocument({
    range: transport,
    worker,
    verbosity,
    rangeChunkSize: CHUNK_BYTES,
    disableRange: !hasRanges,
    disableStream: hasRanges,
    disableAutoFetch: true,
    isEvalSupported: false,
    enableXfa: false,
    useSystemFonts: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    cMapUrl: `${ASSETS}/cmaps/`,
    standardFontDataUrl: `${ASSETS}/standard_fonts/`,
    wasmUrl: `${ASSETS}/wasm/`,
    iccUrl: `${ASSETS}/iccs/`,
  });
  const close = async () => {
    await task.destroy();
    worker.destroy();
    TextLayer.cleanup();
  };
  return { document: await task.promise, close };
}
