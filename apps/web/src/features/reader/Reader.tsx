import {
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { KeptPosition } from "../../api/reading";
import type { Media } from "../../api/types";
import { useUser } from "../../shared/session";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { useReadingPreferences } from "../appearance/preferences";
import { useOpened } from "../items/useOpened";
import { ReaderTriage } from "../triage/ReaderTriage";
import { UnplacedGroups } from "../unplaced/UnplacedGroups";
import { ContentsList } from "./ContentsList";
import type { ReaderHighlight } from "./data/readerHighlight";
import { HighlightMargin } from "./HighlightPane";
import { useHighlighting } from "./highlighting/useHighlighting";
import type { NoteBook } from "./notes/noteBook";
import "./highlights.css";
import "./print.css";
import styles from "./Reader.module.css";
import { ReaderOverlays } from "./ReaderOverlays";
import { Toolbar } from "./Toolbar";
import type { ReadingText, TextCheck } from "./text/readingText";
import { type OnlyFragment, oneFragment, type TextSpace } from "./text/textSpace";
import { useArticleHighlights } from "./useArticleHighlights";
import { useContents } from "./useContents";
import { usePages } from "./usePages";
import { usePlaces } from "./usePlaces";
import { useReaderUnplaced } from "./useReaderUnplaced";
import { ViewSwitch, type Views } from "./ViewSwitch";
import { Warnings } from "./Warnings";
import { originalAddress } from "./words";

/** What the reader hands to whatever shows the text. */
export interface TextColumnProps {
  title: string;
  original: URL | null;
  media: Media;
  highlights: readonly ReaderHighlight[];
  notes: NoteBook;
  /** Why highlights are missing, when they are; shown above the text. */
  warnings: ReactNode;
  /** To be told once the text is on the page, and with null when it leaves. */
  onText: (text: ReadingText | null) => void;
}

interface ReaderProps {
  media: Media;
  /** The fragment that is read; null while there is none, when nothing can be highlighted. */
  fragment?: OnlyFragment | null;
  /** Where the text lies in the document, if not in that one fragment. */
  space?: TextSpace | null;
  /** Where the person was on another device. */
  position: KeptPosition | null;
  /** What the kind of text adds to the bar. */
  tools?: ReactNode;
  /** Only some of the text is on the page, so that the browser's own find would miss the rest. */
  partial?: boolean;
  /** How else the text can be shown. */
  views?: Views | undefined;
  /** Shows the text: an article as a whole, or pages as they are needed. */
  children: (column: TextColumnProps) => ReactNode;
}

/** A text with the highlights drawn on it and their cards, whatever shows the text. */
export function Reader(props: ReaderProps) {
  const { media, position, tools, partial = false, views, children } = props;
  const user = useUser();
  useOpened(media.id);
  const space = useSpace(props);
  const [page, setPage] = useState<ReadingText | null>(null);
  const [preferences, choose] = useReadingPreferences(user.id);
  const wide = useMediaQuery("(min-width: 900px)");
  const { actions, notes, query, highlights } = useArticleHighlights(media.id, space);
  const check = useTextCheck(page);
  // Offsets mean nothing on another text than the server's: then nothing is drawn or made.
  const text = check.usable ? page : null;
  const highlighting = useHighlighting({
    mediaId: media.id,
    text,
    space,
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
  const reading = { text: page, userId: user.id, mediaId: media.id, space, elsewhere: position };
  const places = { ...reading, layout, skip: linked, onProgress, searchable: text, partial };
  const { find, remember, hold, ...links } = usePlaces(places);
  const onText = useTextHandler(setPage, hold);
  const contents = useContents(page, links.onJump);
  // A long list comes behind the text, which nobody should wait for, and only where it is seen.
  const hasRail = useMediaQuery("(min-width: 1320px)");
  const listed = useDeferredValue(hasRail ? contents : null, null);
  const original = originalAddress(media);
  const title = media.title?.trim() || original?.hostname || "Untitled";
  const pages = usePages(media);
  const unplaced = useReaderUnplaced(media.id);
  const unplacedCount = unplaced.length;
  const groups = unplacedCount > 0 && (
    <UnplacedGroups
      media={media}
      list={unplaced}
      open={unplacedCount <= 2 || highlights.length === 0}
      onPlace={highlighting.place}
    />
  );
  const pane = { ...highlighting.pane, highlights, notes, pages, unplaced: groups, unplacedCount };
  const toggle = () => setSheetOpen(!sheetOpen);
  const sheet = wide ? null : { count: highlights.length + unplacedCount, open: sheetOpen, toggle };
  const triage = <ReaderTriage media={media} />;
  const warnings = <Warnings mismatch={check.differs} error={query.error} />;
  return (
    <div
      className={styles.reader}
      data-font={preferences.font}
      data-width={preferences.width}
      style={{ "--reading-size": `${preferences.size / 16}rem` } as React.CSSProperties}
    >
      <Toolbar {...{ title, original, contents, progress, sheet, actions: triage, tools, find }}>
        {views && <ViewSwitch {...views} onLeave={remember} />}
      </Toolbar>
      <div className={styles.columns}>
        <div className={styles.rail}>
          <div className={styles.railInner}>{listed && <ContentsList contents={listed} />}</div>
        </div>
        {children({ title, original, media, highlights, notes, warnings, onText })}
        {wide && text && <HighlightMargin text={text} {...pane} />}
      </div>
      <ReaderOverlays {...{ text, wide, pane, highlighting, links }} />
    </div>
  );
}

function useSpace({ fragment, space }: Pick<ReaderProps, "fragment" | "space">) {
  return useMemo(() => space ?? (fragment ? oneFragment(fragment) : null), [fragment, space]);
}

/** Takes the text that is shown. One that leaves is the last to know where the person is in it. */
function useTextHandler(setPage: (text: ReadingText | null) => void, hold: () => void) {
  return useCallback(
    (text: ReadingText | null) => {
      if (!text) hold();
      setPage(text);
    },
    [setPage, hold],
  );
}

const NO_TEXT: TextCheck = { usable: false, differs: false };

/** Whether the text that is shown is the server's, as far as that is known by now. */
function useTextCheck(page: ReadingText | null): TextCheck {
  const subscribe = useCallback(
    (listener: () => void) => page?.onChange(listener) ?? (() => undefined),
    [page],
  );
  return useSyncExternalStore(subscribe, () => page?.check ?? NO_TEXT);
}

/** The bar that shows how much is read. It moves without a render. */
function useProgressBar(): [RefObject<HTMLDivElement | null>, (fraction: number) => void] {
  const bar = useRef<HTMLDivElement>(null);
  const onProgress = useCallback((fraction: number) => {
    if (bar.current) bar.current.style.transform = `scaleX(${fraction})`;
  }, []);
  return [bar, onProgress];
}
