import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Redirect, useParams } from "wouter";
import { findItem } from "../../../shared/itemCache";
import { paths } from "../../../shared/paths";
import { useUser } from "../../../shared/session";
import { useLoaded } from "../../../shared/useLoaded";
import { Button } from "../../../ui/Button";
import { EmptyState, SkeletonRows } from "../../../ui/States";
import { useTitle } from "../../../ui/useTitle";
import { ItemActions } from "../../items/ItemActions";
import { readsHere, shownTitle } from "../../items/itemWords";
import { itemQuery } from "../../items/queries";
import { highlightsQuery, outlineQuery, positionQuery } from "../data/queries";
import { NotReady } from "../NotReady";
import { Failed, Framed } from "../ReaderFrame";
import styles from "../ReaderPage.module.css";
import { usePagePreferences } from "./pagePreferences";
import { pdfErrorWords } from "./pdfWords";
import { loadPdfReader, useOpenPdf } from "./useOpenPdf";

/** Opens a PDF; what cannot be read is said here. Its file and its outline are asked for at once. */
export function PdfPage() {
  const { mediaId } = useParams<{ mediaId: string }>();
  const client = useQueryClient();
  const query = useQuery(itemQuery(mediaId));
  // The list it was opened from knows enough to begin.
  const media = query.data ?? findItem(client, mediaId);
  const readable = media ? readsHere(media) : false;
  const canHighlight = media?.capabilities.can_highlight ?? false;
  const [preferences, choose] = usePagePreferences(useUser().id);
  const outline = useQuery({ ...outlineQuery(mediaId, canHighlight), enabled: readable });
  const hasText = (outline.data?.fragments.length ?? 0) > 0;
  // What has no text, or not yet, is shown as pages.
  const view = hasText ? preferences.view : "pages";
  const isTextMissing = preferences.view === "text" && outline.isLoading;
  const file = useOpenPdf(mediaId, useOnce(readable && view === "pages" && !isTextMissing));
  usePagesSoon(preferences.view === "pages");
  const isOpen = view === "text" || file.pdf !== null;
  // Of the pages, the file is the slowest part, and the reader is loaded after that was asked for.
  const PdfReader = useLoaded(isOpen ? loadPdfReader : null);
  const position = useQuery({ ...positionQuery(mediaId), enabled: readable });
  useQuery({ ...highlightsQuery(mediaId), enabled: readable, notifyOnChangeProps: [] });
  useTitle(media && shownTitle(media));

  if (media && media.id !== mediaId) {
    return <Redirect to={paths.read(media.id) + window.location.hash} replace />;
  }
  if (query.isError && !query.data) return <Failed query={query} />;
  if (media && !readable) {
    return (
      <Framed>
        <NotReady media={media} />
      </Framed>
    );
  }
  if (view === "pages" && file.error && !file.pdf) {
    return (
      <Framed>
        <EmptyState level={1} title={media ? shownTitle(media) : "PDF"}>
          <p role="alert">{pdfErrorWords(file.error)}</p>
          <Button onClick={file.retry}>Try again</Button>
          {media && <ItemActions media={media} reading />}
        </EmptyState>
      </Framed>
    );
  }
  if (!media || !PdfReader || outline.isLoading || position.isLoading) {
    return (
      <Framed>
        <div className={styles.loading}>
          {!file.reachable && <p role="status">The file cannot be reached. Trying again…</p>}
          <SkeletonRows rows={12} label="Loading the pages" />
        </div>
      </Framed>
    );
  }
  return (
    <PdfReader
      media={media}
      pdf={file.pdf}
      view={view}
      preferences={preferences}
      onChoose={choose}
      outline={outline.data ?? null}
      position={position.data ?? null}
      reachable={file.reachable}
      error={file.error}
    />
  );
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
