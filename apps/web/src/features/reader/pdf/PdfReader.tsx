import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { Outline } from "../../../api/media";
import type { KeptPosition } from "../../../api/reading";
import type { Media } from "../../../api/types";
import { fragmentsQuery } from "../data/queries";
import { Reader } from "../Reader";
import type { View } from "../ViewSwitch";
import { PageTools } from "./PageTools";
import { PdfNotices } from "./PdfNotices";
import type { PagePreferences } from "./pagePreferences";
import type { PagesText } from "./pagesText";
import { RunningText } from "./RunningText";
import type { ShownPdf } from "./useOpenPdf";

interface PdfReaderProps {
  media: Media;
  /** Null until it is needed. */
  pdf: ShownPdf | null;
  outline: Outline | null;
  position: KeptPosition | null;
  reachable: boolean;
  /** Why the rest of the file does not come. */
  error: unknown;
  view: View;
  preferences: PagePreferences;
  onChoose: (changes: Partial<PagePreferences>) => void;
}

/** The reader of a PDF: as it is printed, or as running text. */
export function PdfReader(props: PdfReaderProps) {
  const { media, pdf, outline, position, reachable, error, view, preferences, onChoose } = props;
  const [pages, setPages] = useState<PagesText | null>(null);
  const fragment = outline?.fragments[0] ?? null;
  useServerText(media.id, pages, fragment !== null);
  const choose = useCallback((chosen: View) => onChoose({ view: chosen }), [onChoose]);
  const tools = pages && <PageTools {...{ media, pages, preferences, onChoose }} />;
  const reader = { media, fragment, position, tools, partial: view === "pages" };
  return (
    <Reader {...reader} views={fragment ? { view, choose } : undefined}>
      {(column) =>
        view === "text" || !pdf ? (
          <RunningText {...column} outline={outline} />
        ) : (
          <pdf.Column {...column} {...preferences} {...{ pdf, outline }} onPages={setPages}>
            <PdfNotices media={media} reachable={reachable} error={error} />
          </pdf.Column>
        )
      }
    </Reader>
  );
}

/** Fetches the text as the server has it, once the first page is drawn: it may be long. */
function useServerText(mediaId: string, pages: PagesText | null, hasText: boolean): void {
  const [drawn, setDrawn] = useState(false);
  useEffect(() => void pages?.pictured().then(() => setDrawn(true)), [pages]);
  const { data } = useQuery({ ...fragmentsQuery(mediaId), enabled: hasText && drawn });
  const text = data?.[0]?.canonical_text;
  useEffect(() => {
    if (text !== undefined) pages?.setCanonical(text);
  }, [pages, text]);
}
