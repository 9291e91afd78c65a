import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { Outline } from "../../../api/media";
import type { KeptPosition } from "../../../api/reading";
import type { Media } from "../../../api/types";
import { useUser } from "../../../shared/session";
import { fragmentsQuery } from "../data/queries";
import { Reader } from "../Reader";
import { type OpenedPdf, PageColumn } from "./PageColumn";
import { PageTools } from "./PageTools";
import { PdfNotices } from "./PdfNotices";
import { usePagePreferences } from "./pagePreferences";
import type { PagesText } from "./pagesText";

interface PdfReaderProps {
  media: Media;
  pdf: OpenedPdf;
  outline: Outline | null;
  position: KeptPosition | null;
  reachable: boolean;
}

/** The reader of a PDF as it is printed. */
export function PdfReader({ media, pdf, outline, position, reachable }: PdfReaderProps) {
  const [pages, setPages] = useState<PagesText | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const [preferences, choose] = usePagePreferences(useUser().id);
  const fragment = outline?.fragments[0] ?? null;
  useServerText(media.id, pages, fragment !== null);
  const onError = useCallback((error: unknown) => setFailed(error), []);
  const tools = pages && <PageTools {...{ media, pages, preferences, onChoose: choose }} />;
  return (
    <Reader media={media} fragment={fragment} position={position} tools={tools}>
      {(column) => (
        <PageColumn {...column} {...preferences} {...{ pdf, outline, onError }} onPages={setPages}>
          <PdfNotices media={media} outline={outline} reachable={reachable} error={failed} />
        </PageColumn>
      )}
    </Reader>
  );
}

/** Fetches the text as the server has it, once the first page is drawn: it may be long. */
function useServerText(mediaId: string, pages: PagesText | null, hasText: boolean): void {
  const [drawn, setDrawn] = useState(false);
  useEffect(() => pages?.onChange(() => setDrawn(true)), [pages]);
  const { data } = useQuery({ ...fragmentsQuery(mediaId), enabled: hasText && drawn });
  const text = data?.[0]?.canonical_text;
  useEffect(() => {
    if (text !== undefined) pages?.setCanonical(text);
  }, [pages, text]);
}
