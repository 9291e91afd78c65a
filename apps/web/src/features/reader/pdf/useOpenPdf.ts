import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { fetchFileLink } from "../../../api/media";
import { openedPart } from "../../../shared/opening";
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

/** Opens the file of an item, and closes it when it is left. Calls back once that was heard of. */
export function useOpenPdf(mediaId: string, enabled: boolean, onHeard: () => void) {
  const client = useQueryClient();
  const [file, setFile] = useState(OPENING);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt, another opening.
  useEffect(() => {
    if (!enabled) return;
    let left = false;
    const tell = (news: Partial<PdfFile>) => {
      if (left) return;
      setFile((old) => ({ ...old, ...news }));
      onHeard();
    };
    let reachable = true;
    const opened = openPdf({
      fetchLink: async (signal) =>
        (await openedPart(client, mediaId, "file")) ?? fetchFileLink(mediaId, signal),
      onReachable: (now) => {
        // Said with every part of the file.
        if (now === reachable) return;
        reachable = now;
        tell({ reachable });
      },
      onError: (error) => tell({ error }),
    });
    void opened.begun.then(() => tell({}));
    firstPageOf(opened).then(
      (pdf) => tell({ pdf }),
      (error) => tell({ error }),
    );
    return () => {
      left = true;
      opened.close();
      setFile(OPENING);
    };
  }, [client, mediaId, enabled, attempt]);
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
