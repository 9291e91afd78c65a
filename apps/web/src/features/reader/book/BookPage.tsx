import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import { useOpening } from "../../../shared/opening";
import { SkeletonRows } from "../../../ui/States";
import { useTitle } from "../../../ui/useTitle";
import { readsHere, shownTitle } from "../../items/itemWords";
import { itemQuery } from "../../items/queries";
import { highlightsQuery, outlineQuery, positionQuery } from "../data/queries";
import { NotReady } from "../NotReady";
import { Failed, Framed, MovedTo } from "../ReaderFrame";
import styles from "../ReaderPage.module.css";
import { BookReader } from "./BookReader";

/** Opens a book: its outline first, then the chapter that is read, and the next ones ahead of it. */
export function BookPage() {
  const { mediaId } = useParams<{ mediaId: string }>();
  useOpening(mediaId);
  const media = useQuery(itemQuery(mediaId));
  const readable = media.data ? readsHere(media.data) : false;
  const enabled = readable || !media.data;
  const outline = useQuery({ ...outlineQuery(mediaId, true), enabled });
  const position = useQuery({ ...positionQuery(mediaId), enabled });
  useQuery({ ...highlightsQuery(mediaId), enabled, notifyOnChangeProps: [] });
  useTitle(media.data && shownTitle(media.data));

  if (media.data && media.data.id !== mediaId) return <MovedTo id={media.data.id} />;
  const needed = media.data ? outline : media;
  if (needed.isError && (readable || !media.data)) return <Failed query={needed} />;
  if (media.data && !readable) {
    return (
      <Framed>
        <NotReady media={media.data} />
      </Framed>
    );
  }
  if (!media.data || !outline.data || position.isLoading) {
    return (
      <Framed>
        <div className={styles.loading}>
          <SkeletonRows rows={12} label="Loading the book" />
        </div>
      </Framed>
    );
  }
  return <BookReader media={media.data} outline={outline.data} position={position.data ?? null} />;
}
