import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Redirect, useParams } from "wouter";
import { paths } from "../../../shared/paths";
import { useUser } from "../../../shared/session";
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
import { PdfReader } from "./PdfReader";
import { usePagePreferences } from "./pagePreferences";
import { pdfErrorWords } from "./pdfWords";
import { useOpenPdf } from "./useOpenPdf";

/** Opens a PDF; what cannot be read is said here. Its file and its outline are asked for at once. */
export function PdfPage() {
  const { mediaId } = useParams<{ mediaId: string }>();
  const media = useQuery(itemQuery(mediaId));
  const readable = media.data ? readsHere(media.data) : false;
  const canHighlight = media.data?.capabilities.can_highlight ?? false;
  const outline = useQuery({ ...outlineQuery(mediaId, canHighlight), enabled: readable });
  const position = useQuery({ ...positionQuery(mediaId), enabled: readable });
  useQuery({ ...highlightsQuery(mediaId), enabled: readable, notifyOnChangeProps: [] });
  const [preferences, choose] = usePagePreferences(useUser().id);
  const hasText = (outline.data?.fragments.length ?? 0) > 0;
  // What has no text, or not yet, is shown as pages.
  const view = hasText ? preferences.view : "pages";
  const isTextMissing = preferences.view === "text" && outline.isLoading;
  const file = useOpenPdf(mediaId, useOnce(readable && view === "pages" && !isTextMissing));
  useTitle(media.data && shownTitle(media.data));

  if (media.data && media.data.id !== mediaId) {
    return <Redirect to={paths.read(media.data.id) + window.location.hash} replace />;
  }
  if (media.isError && !media.data) return <Failed query={media} />;
  if (media.data && !readable) {
    return (
      <Framed>
        <NotReady media={media.data} />
      </Framed>
    );
  }
  if (view === "pages" && file.error && !file.pdf) {
    return (
      <Framed>
        <EmptyState level={1} title={media.data ? shownTitle(media.data) : "PDF"}>
          <p role="alert">{pdfErrorWords(file.error)}</p>
          <Button onClick={file.retry}>Try again</Button>
          {media.data && <ItemActions media={media.data} reading />}
        </EmptyState>
      </Framed>
    );
  }
  const isOpen = view === "text" || file.pdf;
  if (!media.data || !isOpen || outline.isLoading || position.isLoading) {
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
      media={media.data}
      pdf={file.pdf}
      view={view}
      preferences={preferences}
      onChoose={choose}
      outline={outline.data ?? null}
      position={position.data ?? null}
      reachable={file.reachable}
    />
  );
}

/** Whether something was ever wanted: the file stays open while its text is read. */
function useOnce(wanted: boolean): boolean {
  const ever = useRef(false);
  ever.current ||= wanted;
  return ever.current;
}
