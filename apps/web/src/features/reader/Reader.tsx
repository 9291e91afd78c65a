import { useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageSquareText } from "lucide-react";
import {
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { isReachable, onReachableChange } from "../../api/connection";
import { ApiError, isSessionEnd, isUnreachable } from "../../api/errors";
import type { Fragment } from "../../api/fragments";
import type { KeptPosition } from "../../api/reading";
import type { Media } from "../../api/types";
import { useUser } from "../../shared/session";
import { Notice } from "../../ui/Notice";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { useReadingPreferences } from "../appearance/preferences";
import { ArticleBody } from "./ArticleBody";
import { ContentsList } from "./ContentsList";
import { HighlightActions, HighlightWaiting } from "./data/highlightActions";
import { outboxSenderOf } from "./data/outboxSender";
import { highlightsQuery } from "./data/queries";
import { isRefusal } from "./data/refusals";
import { countWords, HighlightMargin, HighlightSheet } from "./HighlightPane";
import "./highlights.css";
import "./print.css";
import { NoteBook } from "./notes/noteBook";
import { PrintedNotes } from "./PrintedNotes";
import styles from "./Reader.module.css";
import { SelectionBar } from "./SelectionBar";
import { StackList } from "./StackList";
import { Toolbar } from "./Toolbar";
import type { ArticleText } from "./text/articleText";
import { contentsOf } from "./text/contents";
import { canDraw } from "./text/painter";
import { useHighlighting } from "./useHighlighting";
import { usePosition } from "./usePosition";
import { usePrinting } from "./usePrinting";
import { originalAddress, readingTime } from "./words";

interface ReaderProps {
  media: Media;
  fragment: Fragment;
  /** Where the person was on another device. */
  position: KeptPosition | null;
}

/** One article: its text, the highlights drawn on it, and their cards. */
export function Reader({ media, fragment, position }: ReaderProps) {
  const user = useUser();
  const titleId = useId();
  const [text, setText] = useState<ArticleText | null>(null);
  const [preferences, choose] = useReadingPreferences(user.id);
  const wide = useMediaQuery("(min-width: 900px)");
  const coarse = useMediaQuery("(pointer: coarse)");
  const { actions, notes, query, highlights } = useArticleHighlights(media.id, fragment.id);
  // Offsets mean nothing on another text than the server's: then nothing is drawn or made.
  const same = text !== null && text.map.text === fragment.canonical_text;
  const highlighting = useHighlighting({
    text: same ? text : null,
    fragmentId: fragment.id,
    highlights,
    loaded: query.isSuccess,
    wide,
    actions,
    allowCode: preferences.highlight_code,
    onAllowCode: () => choose({ highlight_code: true }),
  });
  const progress = useRef<HTMLDivElement>(null);
  const onProgress = useCallback((fraction: number) => {
    if (progress.current) progress.current.style.transform = `scaleX(${fraction})`;
  }, []);
  usePosition({
    text,
    userId: user.id,
    fragment,
    elsewhere: position,
    layout: `${preferences.font} ${preferences.width} ${preferences.size}`,
    skip: highlighting.linked,
    onProgress,
  });
  const printing = usePrinting();
  const contents = useMemo(() => (text ? contentsOf(text.root) : []), [text]);
  const original = originalAddress(media);
  const title = media.title?.trim() || original?.hostname || "Untitled";
  const { sheetOpen, setSheetOpen } = highlighting;
  const pane = { ...highlighting.pane, highlights, notes };
  return (
    <div
      className={styles.reader}
      data-font={preferences.font}
      data-width={preferences.width}
      style={{ "--reading-size": `${preferences.size / 16}rem` } as React.CSSProperties}
    >
      <Toolbar
        title={title}
        original={original}
        contents={contents}
        progress={progress}
        sheet={
          wide
            ? null
            : {
                count: highlights.length,
                open: sheetOpen,
                toggle: () => setSheetOpen(!sheetOpen),
              }
        }
      />
      <div className={styles.columns}>
        <div className={styles.rail}>
          <div className={styles.railInner}>
            {contents.length > 1 && <ContentsList entries={contents} />}
          </div>
        </div>
        <article className={styles.article} aria-labelledby={titleId} data-printed>
          <header className={styles.head}>
            <h1 id={titleId} dir="auto">
              {title}
            </h1>
            <p className={styles.meta}>
              {original && <span>{original.hostname.replace(/^www\./, "")}</span>}
              <span>{readingTime(fragment.canonical_text)}</span>
              {highlights.length > 0 && <span>{countWords(highlights.length)}</span>}
            </p>
            {printing && original && <p className={styles.address}>{original.href}</p>}
          </header>
          <Warnings mismatch={text !== null && !same} highlightError={query.error} />
          <ArticleBody
            html={fragment.html_sanitized}
            images={fragment.images}
            labelledBy={titleId}
            onText={setText}
          />
          <footer className={styles.end}>
            {original ? (
              <a href={original.href} target="_blank" rel="noopener noreferrer">
                Read the original at {original.hostname.replace(/^www\./, "")}
              </a>
            ) : (
              <span>The end.</span>
            )}
          </footer>
          {printing && <PrintedNotes highlights={highlights} notes={notes} />}
        </article>
        {wide && same && text && <HighlightMargin text={text} {...pane} />}
      </div>
      {!wide && same && text && sheetOpen && (
        <HighlightSheet text={text} {...pane} onClose={() => setSheetOpen(false)} />
      )}
      {!wide && same && !sheetOpen && highlights.length > 0 && !highlighting.selected && (
        <button type="button" className={styles.pill} onClick={() => setSheetOpen(true)}>
          <MessageSquareText size={18} aria-hidden="true" />
          {countWords(highlights.length)}
        </button>
      )}
      {same && text && <SelectionBar text={text} docked={coarse || !wide} {...highlighting.bar} />}
      {highlighting.stack && <StackList {...highlighting.stack} highlights={highlights} />}
      <p role="status" className="visually-hidden">
        {highlighting.announcement}
      </p>
    </div>
  );
}

/** Why highlights are missing, when they are. */
function Warnings({ mismatch, highlightError }: { mismatch: boolean; highlightError: unknown }) {
  if (mismatch) {
    return (
      <div className={styles.notice}>
        <Notice kind="error">
          Your browser reads this text in another way than the server does, so highlights would not
          be where they belong. They are safe, but not shown here. Another browser may help.
        </Notice>
      </div>
    );
  }
  if (highlightError instanceof ApiError) {
    return (
      <div className={styles.notice}>
        <Notice kind="error">Your highlights did not load. They appear as soon as they do.</Notice>
      </div>
    );
  }
  if (!canDraw()) {
    return (
      <div className={styles.notice}>
        <Notice>
          This browser is too old to draw highlights in the text. You find them in the list.
        </Notice>
      </div>
    );
  }
  return null;
}

/** The highlights of the article, how to change them, and the notes being written on them. */
function useArticleHighlights(mediaId: string, fragmentId: string) {
  const client = useQueryClient();
  const user = useUser();
  const sender = outboxSenderOf(client, user.id);
  const waiting = useSyncExternalStore(sender.subscribe, sender.snapshot);
  const actions = useMemo(
    () => new HighlightActions(client, mediaId, sender),
    [client, mediaId, sender],
  );
  const notes = useMemo(
    () =>
      new NoteBook({
        drafts: sender.drafts,
        send: actions.saveNote,
        isFinal: (error) => isRefusal(error) || isSessionEnd(error),
        isWaiting: (error) => error instanceof HighlightWaiting || isUnreachable(error),
      }),
    [actions, sender],
  );
  const query = useQuery(highlightsQuery(mediaId));
  const { refetch } = query;
  useEffect(() => {
    // Windows side by side are both visible all the time: only focus tells which one is used.
    const look = () => void refetch();
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, [refetch]);
  const highlights = useMemo(
    () => actions.view(query.data ?? [], waiting).filter((one) => one.fragment_id === fragmentId),
    [actions, query.data, waiting, fragmentId],
  );
  useEffect(() => actions.onAdopt((id) => notes.drop(id)), [actions, notes]);
  useEffect(() => notes.follow(highlights), [notes, highlights]);
  useEffect(() => onReachableChange(() => isReachable() && notes.flush()), [notes]);
  useEffect(() => {
    const flush = () => notes.flush();
    document.addEventListener("visibilitychange", flush);
    window.addEventListener("pagehide", flush);
    return () => {
      notes.close();
      document.removeEventListener("visibilitychange", flush);
      window.removeEventListener("pagehide", flush);
    };
  }, [notes]);
  return { actions, notes, query, highlights };
}
