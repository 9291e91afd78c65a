import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, ExternalLink } from "lucide-react";
import { useEffect } from "react";
import { useLocation, useParams } from "wouter";
import type { Media } from "../../api/types";
import { NotFoundPage } from "../../app/NotFoundPage";
import { paths } from "../../app/paths";
import { Button, ButtonLink } from "../../ui/Button";
import { ErrorState, SkeletonRows } from "../../ui/States";
import { Time } from "../../ui/Time";
import { useTitle } from "../../ui/useTitle";
import { ItemMenu } from "./ItemMenu";
import styles from "./ItemPage.module.css";
import { findItem } from "./itemCache";
import { isFileKind, itemState, kindWords, originalUrl, shownTitle, siteName } from "./itemWords";
import { isItemGone, itemQuery, useDownload } from "./queries";
import { StateLine } from "./StateLine";
import { VideoPlayer } from "./VideoPlayer";

/** One item: how far it is, what can be done with it, and the player of a video. */
export function ItemPage() {
  const { id } = useParams<{ id: string }>();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const item = useQuery({ ...itemQuery(id), placeholderData: () => findItem(client, id) });
  const media = item.data;
  useTitle(media && shownTitle(media));

  // An item that was merged into another lives on at that one's address.
  const movedTo = media && media.id !== id ? media.id : null;
  useEffect(() => {
    if (movedTo) navigate(paths.item(movedTo), { replace: true });
  }, [movedTo, navigate]);

  if (media) return <Shown media={media} />;
  if (item.isError) {
    if (isItemGone(item.error)) return <NotFoundPage what="item" />;
    return (
      <ErrorState
        level={1}
        error={item.error}
        retrying={item.isFetching}
        onRetry={() => item.refetch()}
      />
    );
  }
  return (
    <div className={styles.page}>
      <SkeletonRows rows={4} label="Loading the item" />
    </div>
  );
}

function Shown({ media }: { media: Media }) {
  const [, navigate] = useLocation();
  const site = siteName(media);
  return (
    <article className={styles.page}>
      <header className={styles.header}>
        <div className={styles.line}>
          <h1>{shownTitle(media)}</h1>
          <ItemMenu media={media} onRemoved={() => navigate(paths.home, { replace: true })} />
        </div>
        <p className={styles.meta}>
          <span>{kindWords(media.kind)}</span>
          {site && <span>{site}</span>}
          <Time at={media.saved_at} />
        </p>
      </header>
      <StateLine media={media} />
      {media.capabilities.can_play && <VideoPlayer media={media} />}
      <p className={styles.words}>{whatNow(media)}</p>
      <Actions media={media} />
    </article>
  );
}

function whatNow(media: Media): string | null {
  const state = itemState(media);
  if (state === "reading" || state === "waiting") {
    return "This page changes by itself as soon as it is ready.";
  }
  if (isFileKind(media.kind) && media.capabilities.can_download_file) {
    return "Nexus keeps the original file. Download it to read it in an app of your choice.";
  }
  return null;
}

function Actions({ media }: { media: Media }) {
  const download = useDownload(media);
  const original = originalUrl(media);
  const readable = media.kind === "web_article" && media.capabilities.can_read;
  return (
    <div className={styles.actions}>
      {readable && <ButtonLink href={paths.read(media.id)}>Read</ButtonLink>}
      {media.capabilities.can_download_file && (
        <Button look="primary" pending={download.isPending} onClick={() => download.mutate()}>
          <Download size={16} aria-hidden="true" />
          Download the file
        </Button>
      )}
      {original && (
        <a className={styles.original} href={original} target="_blank" rel="noreferrer">
          <ExternalLink size={16} aria-hidden="true" />
          Open the original
        </a>
      )}
    </div>
  );
}
