import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import type { FileLink } from "../../../api/media";
import { policy } from "../text/trustedTypes";
import { FileRanges } from "./fileRanges";
import type { OpenDocument } from "./pdfEngine";

export interface PdfSource {
  fetchLink: (signal: AbortSignal) => Promise<FileLink>;
  onReachable: (reachable: boolean) => void;
  /** Something went wrong after the file was opened. */
  onError: (error: unknown) => void;
}

/** A PDF that is open; it must be closed, or its worker stays. */
export interface OpenPdf {
  /** Resolves once the file was asked for: what can wait until then leaves it the way. */
  readonly begun: Promise<unknown>;
  readonly document: Promise<PDFDocumentProxy>;
  close(): void;
}

/** Opens the file of an item. Its beginning, pdf.js and its worker are loaded at the same time. */
export function openPdf(source: PdfSource): OpenPdf {
  const port = startWorker();
  let tell: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const file = new FileRanges({
    fetchLink: source.fetchLink,
    onReachable: source.onReachable,
    fetch: (url, init) => {
      const response = fetch(url, init);
      tell();
      return response;
    },
  });
  const beginning = file.begin();
  // A failure is looked at once pdf.js is there.
  const begun = Promise.race([asked, beginning.catch(() => undefined)]);
  const opening = open({ file, beginning, port, onError: source.onError });
  const close = async () => {
    file.close();
    const opened = await opening.catch(() => null);
    await opened?.close();
  };
  return {
    begun,
    document: opening.then(({ document }) => document),
    close: () => void close().finally(() => port.terminate()),
  };
}

async function open(input: Parameters<typeof import("./pdfEngine").openDocument>[0]) {
  const { openDocument } = await import("./pdfEngine");
  const opened: OpenDocument = await openDocument(input);
  return opened;
}

/** Given to pdf.js as a port: it would make its worker of a string, which is not allowed here. */
function startWorker(): Worker {
  return new Worker(policy.createScriptURL(workerUrl), { type: "module" });
}
