import { useParams } from "wouter";
import { Button } from "../../../ui/Button";
import { EmptyState, SkeletonRows } from "../../../ui/States";
import { useTitle } from "../../../ui/useTitle";
import { ItemActions } from "../../items/ItemActions";
import { shownTitle } from "../../items/itemWords";
import { NotReady } from "../NotReady";
import { Failed, Framed, MovedTo } from "../ReaderFrame";
import styles from "../ReaderPage.module.css";
import { pdfErrorWords } from "./pdfWords";
import { usePdf } from "./usePdf";

/** Opens a PDF; what cannot be read is said here. */
export function PdfPage() {
  const { mediaId } = useParams<{ mediaId: string }>();
  const { item, media, readable, outline, position, view, file, ...shown } = usePdf(mediaId);
  const { PdfReader, preferences, choose } = shown;
  useTitle(media && shownTitle(media));

  if (media && media.id !== mediaId) return <MovedTo id={media.id} />;
  if (item.isError && !item.data) return <Failed query={item} />;
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
