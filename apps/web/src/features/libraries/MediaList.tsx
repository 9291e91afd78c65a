import { BookOpen, CirclePlay, FileText, Newspaper } from "lucide-react";
import type { Media } from "../../api/types";
import { cx } from "../../ui/cx";
import { SkeletonRows } from "../../ui/States";
import { Time } from "../../ui/Time";
import styles from "./MediaList.module.css";
import { kindWords, shownTitle, siteName, stateWords } from "./mediaWords";

const ICONS: Record<string, typeof FileText> = {
  web_article: Newspaper,
  epub: BookOpen,
  video: CirclePlay,
};

/** Saved items, one row each. */
export function MediaList({ items, label }: { items: Media[]; label: string }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {items.map((media) => (
        <MediaRow key={media.id} media={media} />
      ))}
    </ul>
  );
}

function MediaRow({ media }: { media: Media }) {
  const Icon = ICONS[media.kind] ?? FileText;
  const site = siteName(media);
  const state = stateWords(media);
  return (
    <li className={styles.row}>
      <Icon size={20} aria-hidden="true" />
      <div className={styles.text}>
        <h2 className={styles.title}>{shownTitle(media)}</h2>
        <p className={styles.meta}>
          <span>{site ?? kindWords(media.kind)}</span>
          <Time at={media.created_at} />
        </p>
        {state && (
          <p className={cx(styles.state, media.processing_status === "failed" && styles.failed)}>
            {state}
          </p>
        )}
      </div>
    </li>
  );
}

/** The list while it loads. */
export function MediaListSkeleton() {
  return (
    <div className={styles.skeleton}>
      <SkeletonRows rows={6} label="Loading the items" />
    </div>
  );
}
