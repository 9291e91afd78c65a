import { useQuery } from "@tanstack/react-query";
import { Redirect, useParams } from "wouter";
import { NotFoundPage } from "../../app/NotFoundPage";
import { paths } from "../../app/paths";
import { ErrorState, SkeletonRows } from "../../ui/States";
import { useTitle } from "../../ui/useTitle";
import { isItemGone, itemQuery } from "../items/queries";
import { fragmentsQuery, positionQuery } from "./data/queries";
import { NotReady } from "./NotReady";
import { Reader } from "./Reader";
import styles from "./ReaderPage.module.css";

/** Loads an item and opens it; until it can be read, says why. Live changes come by the cache. */
export function ReaderPage() {
  const { mediaId } = useParams<{ mediaId: string }>();
  const media = useQuery(itemQuery(mediaId));
  const readable = media.data?.capabilities.can_read ?? false;
  const fragments = useQuery({ ...fragmentsQuery(mediaId), enabled: readable });
  const position = useQuery({ ...positionQuery(mediaId), enabled: readable });
  useTitle(media.data?.title ?? undefined);

  const failed = media.data ? fragments : media;
  if (failed.isError) {
    if (isItemGone(failed.error)) return <NotFoundPage what="item" />;
    return (
      <ErrorState
        level={1}
        error={failed.error}
        retrying={failed.isFetching}
        onRetry={() => failed.refetch()}
      />
    );
  }
  if (media.data && media.data.id !== mediaId) {
    return <Redirect to={paths.read(media.data.id) + window.location.hash} replace />;
  }
  if (media.data && !readable) return <NotReady media={media.data} />;
  if (!media.data || !fragments.data || position.isLoading) return <Loading />;
  const [fragment] = fragments.data;
  if (!fragment) return <NotReady media={media.data} />;
  return (
    <Reader
      key={fragment.id}
      media={media.data}
      fragment={fragment}
      position={position.data ?? null}
    />
  );
}

function Loading() {
  return (
    <div className={styles.loading}>
      <SkeletonRows rows={12} label="Loading the article" />
    </div>
  );
}
