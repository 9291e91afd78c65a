import { useEffect, useLayoutEffect, useRef } from "react";
import type { Fragment } from "../../api/fragments";
import type { KeptPosition } from "../../api/reading";
import { ReadingPosition } from "./data/readingPosition";
import type { ArticleText } from "./text/articleText";

/** The line people read from: just under the bar. */
const READING_LINE = 72;
const SETTLED_MS = 300;

interface PositionInput {
  text: ArticleText | null;
  userId: string;
  fragment: Fragment;
  elsewhere: KeptPosition | null;
  /** What decides how the text flows. */
  layout: string;
  /** The address asks for another place: do not go to the last one. */
  skip: boolean;
  onProgress: (fraction: number) => void;
}

/** Goes to where the person was, remembers where they are, and keeps it when the text reflows. */
export function usePosition(input: PositionInput): void {
  const { text, userId, fragment, elsewhere, layout, skip, onProgress } = input;
  const { id: fragmentId, media_id: mediaId } = fragment;
  // Only as the article opens: nobody is moved while they read.
  const atFirst = useRef(elsewhere);
  const offset = useRef<number | null>(null);
  const skipFirst = useRef(skip);

  useLayoutEffect(() => {
    if (!text) return;
    const position = new ReadingPosition({
      userId,
      mediaId,
      fragmentId,
      elsewhere: atFirst.current,
    });
    position.tidy();
    if (!skipFirst.current) {
      offset.current = position.read();
      scrollToOffset(text, offset.current);
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    const note = () => {
      clearTimeout(timer);
      const top = text.root.getBoundingClientRect().top;
      offset.current = top > 0 ? 0 : text.offsetBelow(READING_LINE);
      if (offset.current !== null) position.write(offset.current);
    };
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => onProgress(progressOf(text.root)));
      clearTimeout(timer);
      timer = setTimeout(note, SETTLED_MS);
    };
    onProgress(progressOf(text.root));
    window.addEventListener("scroll", onScroll, { passive: true });
    const leave = () => {
      note();
      position.flush();
    };
    window.addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", leave);
    return () => {
      position.flush();
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", leave);
    };
  }, [text, userId, mediaId, fragmentId, onProgress]);

  const shown = useRef(layout);
  useEffect(() => {
    if (shown.current === layout || !text) return;
    shown.current = layout;
    scrollToOffset(text, offset.current);
  }, [text, layout]);
}

function scrollToOffset(text: ArticleText, offset: number | null): void {
  if (!offset) return;
  const line = text.firstLine({ start: offset, end: offset + 40 });
  if (line) window.scrollTo({ top: line.top + window.scrollY - READING_LINE, behavior: "instant" });
}

/** How much of the text is above the bottom of the window. */
function progressOf(root: HTMLElement): number {
  const { top, height } = root.getBoundingClientRect();
  const room = height - window.innerHeight;
  if (room <= 0) return 1;
  return Math.min(1, Math.max(0, -top / room));
}
