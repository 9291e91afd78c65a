import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import type { Fragment } from "../../api/fragments";
import type { KeptPosition } from "../../api/reading";
import type { Media } from "../../api/types";
import { useUser } from "../../shared/session";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { useReadingPreferences } from "../appearance/preferences";
import { ArticleColumn } from "./ArticleColumn";
import { ContentsList } from "./ContentsList";
import { HighlightMargin } from "./HighlightPane";
import { useHighlighting } from "./highlighting/useHighlighting";
import { useInsideLinks } from "./links/useInsideLinks";
import { useJumps } from "./links/useJumps";
import "./highlights.css";
import "./print.css";
import styles from "./Reader.module.css";
import { ReaderOverlays } from "./ReaderOverlays";
import { Toolbar } from "./Toolbar";
import type { ArticleText } from "./text/articleText";
import { contentsOf } from "./text/contents";
import { useArticleHighlights } from "./useArticleHighlights";
import { usePosition } from "./usePosition";
import { originalAddress } from "./words";

interface ReaderProps {
  media: Media;
  fragment: Fragment;
  /** Where the person was on another device. */
  position: KeptPosition | null;
}

/** One article: its text, the highlights drawn on it, and their cards. */
export function Reader({ media, fragment, position }: ReaderProps) {
  const user = useUser();
  const [page, setPage] = useState<ArticleText | null>(null);
  const [preferences, choose] = useReadingPreferences(user.id);
  const wide = useMediaQuery("(min-width: 900px)");
  const { actions, notes, query, highlights } = useArticleHighlights(media.id, fragment.id);
  // Offsets mean nothing on another text than the server's: then nothing is drawn or made.
  const text = page?.map.text === fragment.canonical_text ? page : null;
  const highlighting = useHighlighting({
    text,
    fragmentId: fragment.id,
    highlights,
    loaded: query.isSuccess,
    wide,
    actions,
    allowCode: preferences.highlight_code,
    onAllowCode: () => choose({ highlight_code: true }),
  });
  const [progress, onProgress] = useProgressBar();
  const layout = `${preferences.font} ${preferences.width} ${preferences.size}`;
  const { linked, sheetOpen, setSheetOpen } = highlighting;
  const reading = { text: page, userId: user.id, fragment, elsewhere: position };
  const links = usePlaces({ ...reading, layout, skip: linked, onProgress });
  const contents = useMemo(() => (page ? contentsOf(page.root) : []), [page]);
  const original = originalAddress(media);
  const title = media.title?.trim() || original?.hostname || "Untitled";
  const pane = { ...highlighting.pane, highlights, notes };
  const toggle = () => setSheetOpen(!sheetOpen);
  const sheet = wide ? null : { count: highlights.length, open: sheetOpen, toggle };
  const article = { title, original, media, fragment, highlights, notes };
  return (
    <div
      className={styles.reader}
      data-font={preferences.font}
      data-width={preferences.width}
      style={{ "--reading-size": `${preferences.size / 16}rem` } as React.CSSProperties}
    >
      <Toolbar {...{ title, original, contents, progress, sheet }} />
      <div className={styles.columns}>
        <div className={styles.rail}>
          <div className={styles.railInner}>
            {contents.length > 1 && <ContentsList entries={contents} />}
          </div>
        </div>
        <ArticleColumn
          {...article}
          mismatch={!!page && !text}
          error={query.error}
          onText={setPage}
        />
        {wide && text && <HighlightMargin text={text} {...pane} />}
      </div>
      <ReaderOverlays {...{ text, wide, pane, highlighting, links }} />
    </div>
  );
}

/** The person's place in the text, and the links inside it, which lead to others. */
function usePlaces({ skip, ...reading }: Omit<Parameters<typeof usePosition>[0], "jumps">) {
  const { text, fragment } = reading;
  const jumps = useJumps(text, fragment.idx);
  const remember = usePosition({ ...reading, skip: skip || jumps.opensElsewhere, jumps });
  const onJump = (offset: number, link: HTMLAnchorElement | null) => {
    remember();
    jumps.jump(offset, link);
  };
  const { note, close: onClose } = useInsideLinks({ text, fragment: fragment.idx, onJump });
  const onStay = () => {
    jumps.stay();
    remember();
  };
  return { note, onClose, onJump, canReturn: jumps.canReturn, onStay };
}

/** The bar that shows how much is read. It moves without a render. */
function useProgressBar(): [RefObject<HTMLDivElement | null>, (fraction: number) => void] {
  const bar = useRef<HTMLDivElement>(null);
  const onProgress = useCallback((fraction: number) => {
    if (bar.current) bar.current.style.transform = `scaleX(${fraction})`;
  }, []);
  return [bar, onProgress];
}
