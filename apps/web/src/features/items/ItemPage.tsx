import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useParams } from "wouter";
import type { Media } from "../../api/types";
import { BackLink } from "../../shared/BackLink";
import { useBack } from "../../shared/back";
import { findItem } from "../../shared/itemCache";
import { NotFoundPage } from "../../shared/NotFoundPage";
import { paths } from "../../shared/paths";
import { ErrorState, SkeletonRows } from "../../ui/States";
import { Time } from "../../ui/Time";
import { useTitle } from "../../ui/useTitle";
import { UnplacedOfItem } from "../unplaced/UnplacedGroups";
import { ItemActions } from "./ItemActions";
import { ItemMenu } from "./ItemMenu";
import styles from "./ItemPage.module.css";
import {
  type ItemState,
  itemState,
  kindWords,
  playsHere,
  shownTitle,
  siteName,
  whatNow,
} from "./itemWords";
import { isItemGone, itemQuery } from "./queries";
import { StateLine } from "./StateLine";
import { useOpened } from "./useOpened";
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

// What is still on its way, or failed, cannot be opened yet.
const OPENS_HERE: readonly ItemState[] = ["ready", "elsewhere", "stored"];

function Shown({ media }: { media: Media }) {
  useOpened(OPENS_HERE.includes(itemState(media)) ? media.id : null);
  const back = useBack();
  const site = siteName(media);
  return (
    <article className={styles.page}>
      <BackLink words />
      <header className={styles.header}>
        <div className={styles.line}>
          <h1>{shownTitle(media)}</h1>
          <ItemMenu media={media} onRemoved={() => back.go(true)} />
        </div>
        <p className={styles.meta}>
          <span>{kindWords(media.kind)}</span>
          {site && <span>{site}</span>}
          <Time at={media.saved_at} />
        </p>
      </header>
      <StateLine media={media} />
      {playsHere(media) && <VideoPlayer media={media} />}
      <p className={styles.words}>{whatNow(media)}</p>
      <ItemActions media={media} />
      <UnplacedOfItem media={media} />
    </article>
  );
}
