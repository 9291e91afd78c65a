import { useEffect, useMemo, useRef } from "react";
import type { Contents } from "./text/contents";
import type { ReadingText } from "./text/readingText";

/** The contents of a text; a single heading is none. In a text of chapters one jumps, and can return. */
export function useContents(
  text: ReadingText | null,
  onJump: (offset: number, link: null, toRead: boolean) => void,
): Contents | null {
  const latest = useRef(onJump);
  useEffect(() => {
    latest.current = onJump;
  });
  return useMemo(() => {
    if (!text || text.contents.entries.length < 2) return null;
    const { contents } = text;
    return {
      entries: contents.entries,
      follow: (onCurrent) => contents.follow(onCurrent),
      goTo: (entry) => {
        if (entry.offset === undefined || !text.ready) contents.goTo(entry);
        else {
          void text.ready(entry.offset).then((offset) => {
            if (offset !== null) latest.current(offset, null, true);
          });
        }
      },
    };
  }, [text]);
}
