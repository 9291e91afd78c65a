import { useEffect, useState } from "react";
import { type OpenPdf, openPdf } from "./openPdf";
import type { OpenedPdf, PageColumn } from "./PageColumn";

export const loadPdfReader = async () => (await import("./PdfReader")).PdfReader;

/** A file that can be shown, with what shows it, which is loaded along with it. */
export interface ShownPdf extends OpenedPdf {
  readonly Column: typeof PageColumn;
}

export interface PdfFile {
  /** Null until its first page is known. */
  readonly pdf: ShownPdf | null;
  /** Why it does not open. */
  readonly error: unknown;
  /** Whether the server gives the file at the moment. */
  readonly reachable: boolean;
}

const OPENING: PdfFile = { pdf: null, error: null, reachable: true };

/** Opens the file of an item, and closes it when it is left. */
export function useOpenPdf(mediaId: string, enabled: boolean) {
  const [file, setFile] = useState(OPENING);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt, another opening.
  useEffect(() => {
    if (!enabled) return;
    let left = false;
    const tell = (news: Partial<PdfFile>) => {
      if (!left) setFile((old) => ({ ...old, ...news }));
    };
    const opened = openPdf(mediaId, {
      onReachable: (reachable) => tell({ reachable }),
      onError: (error) => tell({ error }),
    });
    firstPageOf(opened).then(
      (pdf) => tell({ pdf }),
      (error) => tell({ error }),
    );
    return () => {
      left = true;
      opened.close();
      setFile(OPENING);
    };
  }, [mediaId, enabled, attempt]);
  return { ...file, retry: () => setAttempt((times) => times + 1) };
}

async function firstPageOf(opened: OpenPdf): Promise<ShownPdf> {
  const reader = opened.begun.then(() => Promise.all([import("./PageColumn"), loadPdfReader()]));
  // A failure is looked at once the file is open.
  reader.catch(() => undefined);
  const document = await opened.document;
  const first = await document.getPage(1);
  const [{ PageColumn: Column }] = await reader;
  return { document, first, Column };
}
