import { useMemo, useState } from "react";
import type { Fragment } from "../../api/fragments";
import type { Media } from "../../api/types";
import { imagePath, isSameImage } from "../../shared/imagePath";
import {
  authorWords,
  pageCount,
  publishedWords,
  readingTime,
  readingTimeOf,
} from "../items/itemFacts";
import { siteName } from "../items/itemWords";
import styles from "./ArticleHead.module.css";
import { countWords } from "./HighlightPane";

// The sanitizer writes attributes in double quotes and nothing else.
const IMAGES = /<img [^>]*?src="([^"]*)"/g;
/** Anything smaller is an icon or a logo. */
const NARROWEST = 320;

interface ArticleHeadProps {
  title: string;
  titleId: string;
  original: URL | null;
  media: Media;
  fragment: Fragment;
  highlightCount: number;
  printing: boolean;
}

/** What stands above the text: its title, where it is from, and its picture. */
export function ArticleHead(props: ArticleHeadProps) {
  const { title, titleId, original, media, fragment, highlightCount, printing } = props;
  const authors = authorWords(media);
  const site = siteName(media);
  const published = publishedWords(media.published_at);
  const pages = pageCount(media);
  const picture = useLeadImage(media, fragment);
  return (
    <>
      <header className={styles.head}>
        <h1 id={titleId} dir="auto" lang={media.language ?? undefined}>
          {title}
        </h1>
        {authors && (
          <p className={styles.authors}>
            By <bdi>{authors}</bdi>
          </p>
        )}
        <p className={styles.meta}>
          {site && <Site name={site} original={original} />}
          {published && <time dateTime={media.published_at ?? undefined}>{published}</time>}
          <span data-screen>{readingTime(media) ?? readingTimeOf(fragment.canonical_text)}</span>
          {pages && <span>{pages}</span>}
          {highlightCount > 0 && <span data-screen>{countWords(highlightCount)}</span>}
        </p>
        {printing && original && <p className={styles.address}>{original.href}</p>}
      </header>
      {picture && <LeadImage path={picture} />}
    </>
  );
}

function Site({ name, original }: { name: string; original: URL | null }) {
  if (!original) return <bdi>{name}</bdi>;
  return (
    <a href={original.href} target="_blank" rel="noopener noreferrer">
      <bdi>{name}</bdi>
    </a>
  );
}

/** Where the picture of an article is, unless its text shows it anyway. */
function useLeadImage({ lead_image_url: lead }: Media, { html_sanitized: html }: Fragment) {
  return useMemo(() => {
    if (!lead) return null;
    const images = [...html.matchAll(IMAGES)].map(([, address = ""]) => address);
    return images.some((address) => isSameImage(address, lead)) ? null : imagePath(lead);
  }, [lead, html]);
}

/** Decoration beside the title, in a box that is there before the picture is. */
function LeadImage({ path }: { path: string }) {
  const [gone, setGone] = useState(false);
  const [loaded, setLoaded] = useState(false);
  if (gone) return null;
  return (
    <img
      className={styles.lead}
      src={path}
      alt=""
      decoding="async"
      data-loaded={loaded || undefined}
      onError={() => setGone(true)}
      onLoad={({ currentTarget }) => {
        setLoaded(true);
        if (currentTarget.naturalWidth < NARROWEST) setGone(true);
      }}
    />
  );
}
