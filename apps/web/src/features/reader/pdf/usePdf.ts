import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { findItem } from "../../../shared/itemCache";
import { useOpening } from "../../../shared/opening";
import { useUser } from "../../../shared/session";
import { useLoaded } from "../../../shared/useLoaded";
import { readsHere } from "../../items/itemWords";
import { itemQuery } from "../../items/queries";
import { highlightsQuery, outlineQuery, positionQuery } from "../data/queries";
import { type PagePreferences, usePagePreferences } from "./pagePreferences";
import { loadPdfReader, useOpenPdf } from "./useOpenPdf";

/** All that a PDF needs. Of pages the file is the slowest part, and the rest is asked for after it. */
export function usePdf(mediaId: string) {
  const [preferences, setPreferences] = usePagePreferences(useUser().id);
  const client = useQueryClient();
  // The list it was opened from knows enough to begin; without one, all is asked for together.
  const listed = useMemo(() => findItem(client, mediaId), [client, mediaId]);
  const [isFileComing, setFileComing] = useState(false);
  const begins = preferences.view === "pages" && listed && readsHere(listed);
  const enabled = isFileComing || !begins;
  useOpening(mediaId, enabled);
  const item = useQuery({ ...itemQuery(mediaId), enabled });
  const media = item.data ?? listed;
  const readable = media ? readsHere(media) : false;
  const rest = { enabled: enabled && readable };
  const canHighlight = media?.capabilities.can_highlight ?? false;
  // Once the text is there the outline is another; the pages stay meanwhile.
  const outline = useQuery({
    ...outlineQuery(mediaId, canHighlight),
    ...rest,
    placeholderData: keepPreviousData,
  });
  const hasText = (outline.data?.fragments.length ?? 0) > 0;
  // What has no text, or not yet, is shown as pages. When a text comes, somebody who reads the pages
  // stays on them until they choose.
  const [staysOnPages, setStaysOnPages] = useState(false);
  const view = hasText && !staysOnPages ? preferences.view : "pages";
  const isTextMissing = preferences.view === "text" && outline.isLoading;
  const wantsFile = useOnce(readable && view === "pages" && !isTextMissing);
  const file = useOpenPdf(mediaId, wantsFile, () => setFileComing(true));
  if (file.pdf && !hasText && !outline.isLoading && !staysOnPages) setStaysOnPages(true);
  const choose = useCallback(
    (changes: Partial<PagePreferences>) => {
      if (changes.view) setStaysOnPages(false);
      setPreferences(changes);
    },
    [setPreferences],
  );
  usePagesSoon(preferences.view === "pages");
  const isOpen = view === "text" || file.pdf !== null;
  const PdfReader = useLoaded(isOpen ? loadPdfReader : null);
  const position = useQuery({ ...positionQuery(mediaId), ...rest });
  useQuery({ ...highlightsQuery(mediaId), ...rest, notifyOnChangeProps: [] });
  return { item, media, readable, outline, position, view, file, PdfReader, preferences, choose };
}

/** What draws pages is large: it is on its way before it is known that there are any. */
function usePagesSoon(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    void import("./pdfEngine").catch(() => undefined);
  }, [wanted]);
}

/** Whether something was ever wanted: the file stays open while its text is read. */
function useOnce(wanted: boolean): boolean {
  const ever = useRef(false);
  ever.current ||= wanted;
  return ever.current;
}
