import { useState } from "react";
import type { Media } from "../../../api/types";
import { imagePath } from "../../../shared/imagePath";
import { authorWords, pageCount, publishedWords, readingMinutes } from "../../items/itemFacts";
import { siteName } from "../../items/itemWords";
import headStyles from "../ArticleHead.module.css";
import { countWords } from "../HighlightPane";
import styles from "./Book.module.css";
import { timeWords } from "./bookTime";

interface BookHeadProps {
  title: string;
  titleId: string;
  media: Media;
  highlightCount: number;
}

/** What stands above a book: its cover, its title, and who wrote it. */
export function BookHead({ title, titleId, media, highlightCount }: BookHeadProps) {
  const authors = authorWords(media);
  const publisher = siteName(media);
  const published = publishedWords(media.published_at);
  const minutes = readingMinutes(media);
  const pages = pageCount(media);
  const cover = imagePath(media.lead_image_url);
  return (
    <header className={styles.head}>
      {cover && <Cover path={cover} />}
      <div className={styles.words}>
        <h1 id={titleId} dir="auto" lang={media.language ?? undefined}>
          {title}
        </h1>
        {authors && (
          <p className={headStyles.authors}>
            By <bdi>{authors}</bdi>
          </p>
        )}
        <p className={headStyles.meta}>
          {publisher && <bdi>{publisher}</bdi>}
          {published && <time dateTime={media.published_at ?? undefined}>{published}</time>}
          {minutes !== null && <span data-screen>{timeWords(minutes)} to read</span>}
          {pages && <span>{pages}</span>}
          {highlightCount > 0 && <span data-screen>{countWords(highlightCount)}</span>}
        </p>
      </div>
    </header>
  );
}

/** Decoration beside the title, in a box that is there before the picture is. */
function Cover({ path }: { path: string }) {
  const [gone, setGone] = useState(false);
  if (gone) return null;
  return (
    <img
      className={styles.cover}
      src={path}
      alt=""
      decoding="async"
      onError={() => setGone(true)}
    />
  );
}
