import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import { useOpening } from "../../shared/opening";
import { SkeletonRows } from "../../ui/States";
import { useTitle } from "../../ui/useTitle";
import { readsHere, shownTitle } from "../items/itemWords";
import { itemQuery } from "../items/queries";
import { ArticleReader } from "./ArticleReader";
import { fragmentsQuery, highlightsQuery, positionQuery } from "./data/queries";
import { NotReady } from "./NotReady";
import { Failed, Framed, MovedTo } from "./ReaderFrame";
import styles from "./ReaderPage.module.css";

/** Loads an item and opens it; what cannot be read is said here. Live changes come by the cache. */
export function ReaderPage() {
  const { mediaId } = useParams<{ mediaId: string }>();
  const { media, readable, fragments, position } = useArticle(mediaId);
  useTitle(media.data && shownTitle(media.data));

  if (media.data && media.data.id !== mediaId) return <MovedTo id={media.data.id} />;
  const needed = media.data ? fragments : media;
  if (needed.isError && (readable || !media.data)) {
    return <Failed query={needed} />;
  }
  const fragment = fragments.data?.[0];
  const isTextLoading = !fragment && fragments.isFetching;
  if (!media.data || (readable && (isTextLoading || position.isLoading))) {
    return (
      <Framed>
        <div className={styles.loading}>
          <SkeletonRows rows={12} label="Loading the article" />
        </div>
      </Framed>
    );
  }
  if (!readable || !fragment) {
    return (
      <Framed>
        <NotReady media={media.data} />
      </Framed>
    );
  }
  return (
    <ArticleReader
      key={fragment.id}
      media={media.data}
      fragment={fragment}
      position={position.data ?? null}
    />
  );
}

/** All that an article needs: each takes its part of one response. */
function useArticle(mediaId: string) {
  useOpening(mediaId);
  const media = useQuery(itemQuery(mediaId));
  const readable = media.data ? readsHere(media.data) : false;
  // Most items can be read, so only what is known to have no text is not asked for.
  const enabled = readable || !media.data;
  const fragments = useQuery({ ...fragmentsQuery(mediaId), enabled });
  const position = useQuery({ ...positionQuery(mediaId), enabled });
  // The reader shows them; here they are only asked for, so that they arrive with the text.
  useQuery({ ...highlightsQuery(mediaId), enabled, notifyOnChangeProps: [] });
  return { media, readable, fragments, position };
}
