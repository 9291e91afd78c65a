import { useEffect, useState } from "react";
import { type OpenPdf, openPdf } from "./openPdf";
import type { OpenedPdf } from "./PageColumn";

export interface PdfFile {
  /** Null until its first page is known. */
  readonly pdf: OpenedPdf | null;
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

async function firstPageOf(opened: OpenPdf): Promise<OpenedPdf> {
  const document = await opened.document;
  return { document, first: await document.getPage(1) };
}
