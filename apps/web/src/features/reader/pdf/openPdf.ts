import {
  getDocument,
  type PDFDocumentProxy,
  PDFWorker,
  TextLayer,
  VerbosityLevel,
  version,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import { fetchFileLink } from "../../../api/media";
import { policy } from "../text/trustedTypes";
import { FileRanges } from "./fileRanges";
import { CHUNK_BYTES, FileTransport } from "./fileTransport";

const ASSETS = `/assets/pdfjs-${version}`;
/** A picture of more pixels is left out rather than taking the tab with it. */
const MAX_IMAGE_PIXELS = 1 << 28;

export interface PdfListeners {
  onReachable: (reachable: boolean) => void;
  /** Something went wrong after the file was opened. */
  onError: (error: unknown) => void;
}

/** A PDF that is open; it must be closed, or its worker stays. */
export interface OpenPdf {
  readonly document: Promise<PDFDocumentProxy>;
  close(): void;
}

/** Opens the file of an item with pdf.js, in a worker of its own. */
export function openPdf(mediaId: string, listeners: PdfListeners): OpenPdf {
  const port = startWorker();
  // Its type says that there is no port, and its code takes one.
  const worker = new PDFWorker({ port: port as never, verbosity: VerbosityLevel.ERRORS });
  const file = new FileRanges({
    fetchLink: (signal) => fetchFileLink(mediaId, signal),
    onReachable: listeners.onReachable,
  });
  let closed = false;
  let task: ReturnType<typeof getDocument> | null = null;
  const open = async () => {
    const { transport, hasRanges } = await FileTransport.open(file, listeners.onError);
    if (closed) throw new Error("The file was closed while it opened.");
    task = getDocument({
      range: transport,
      worker,
      verbosity: VerbosityLevel.ERRORS,
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
    return task.promise;
  };
  const close = async () => {
    closed = true;
    file.close();
    await task?.destroy();
    worker.destroy();
    port.terminate();
    TextLayer.cleanup();
  };
  return { document: open(), close: () => void close().catch(() => port.terminate()) };
}

/** Given to pdf.js as a port: it would make its worker of a string, which is not allowed here. */
function startWorker(): Worker {
  // The browser takes the trusted object; its type is only known as a string.
  return new Worker(policy.createScriptURL(workerUrl), { type: "module" });
}
