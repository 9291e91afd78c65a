import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import type { KeptPosition } from "../../api/reading";
import { ReadingPosition } from "./data/readingPosition";
import type { Jumps } from "./links/useJumps";
import { offsetOnScreen, offsetSeenTo, scrollToOffset } from "./placeOnScreen";
import type { ReadingText } from "./text/readingText";
import type { TextSpace } from "./text/textSpace";
import { watchReader } from "./watchReader";

interface PositionInput {
  text: ReadingText | null;
  userId: string;
  mediaId: string;
  /** Null while there is no text: places are then kept on this device alone. */
  space: TextSpace | null;
  elsewhere: KeptPosition | null;
  /** What decides how the text flows. */
  layout: string;
  /** The address asks for another place: do not go to the last one. */
  skip: boolean;
  /** Somebody who looks something up elsewhere in the text has not read up to there. */
  jumps: Pick<Jumps, "isLookingUp" | "keep">;
  onProgress: (fraction: number) => void;
}

/** What follows a person through a text. */
interface Followed {
  /** Remembers where they are, here and for their other devices. */
  remember: () => void;
  /** To be called while the text is still on the page: it may be shown again in another way. */
  hold: () => void;
}

/** So often, at most, the place is looked for while the text moves. */
const HOLD_EVERY_MS = 100;

/**
 * Goes to where the person was, remembers where they are, and keeps it when the text reflows or is
 * shown in another way. Each text is gone to its place once, as it comes: from then on only the
 * person moves it.
 */
export function usePosition(input: PositionInput): Followed {
  const { text, userId, mediaId, space, elsewhere, layout, skip, jumps, onProgress } = input;
  const { isLookingUp, keep } = jumps;
  // Only as the article opens: nobody is moved while they read.
  const atFirst = useRef({ elsewhere, skip });
  const offset = useRef<number | null>(null);
  // Offsets of pages without a text mean nothing in the text that comes later.
  const heldIn = useRef<string | null>(null);
  const placed = useRef<ReadingText | null>(null);
  const now = useRef<Followed>(undefined);

  useLayoutEffect(() => {
    if (!text) return;
    const { elsewhere, skip } = atFirst.current;
    const position = new ReadingPosition({ userId, mediaId, space, elsewhere });
    const held = space && (space.only ?? mediaId);
    if (placed.current === null) {
      position.tidy();
      if (!skip) offset.current = position.read() ?? text.start ?? null;
    } else if (heldIn.current !== held) offset.current = null;
    heldIn.current = held;
    if (placed.current !== text) {
      placed.current = text;
      if (offset.current) scrollToOffset(text, offset.current);
    }
    let heldAt = 0;
    const hold = () => {
      heldAt = performance.now();
      const seen = offsetOnScreen(text);
      // Where a line begins differs from view to view: going to and fro must not lead upwards.
      if (!isSameLine(text, seen, offset.current)) offset.current = seen;
    };
    const note = () => {
      hold();
      if (offset.current !== null && !isLookingUp()) {
        position.write(offset.current, space && offsetSeenTo(text, space.length));
      }
      keep();
    };
    now.current = { remember: note, hold };
    onProgress(progressOf(text));
    const stopWatching = watchReader({
      onScroll: () => {
        onProgress(progressOf(text));
        // The text may reflow before the page comes to rest.
        if (performance.now() - heldAt > HOLD_EVERY_MS) hold();
      },
      onRest: note,
      // What is all on the screen is read without a scroll.
      onStay: () => space && offsetSeenTo(text, space.length) === space.length && note(),
      onLeave: () => {
        note();
        position.flush();
      },
    });
    return () => {
      position.flush();
      stopWatching();
    };
  }, [text, userId, mediaId, space, isLookingUp, keep, onProgress]);

  useReflow(text, layout, offset);
  const remember = useCallback(() => now.current?.remember(), []);
  const hold = useCallback(() => now.current?.hold(), []);
  return { remember, hold };
}

function isSameLine(text: ReadingText, a: number | null, b: number | null): boolean {
  if (a === null || b === null) return false;
  const [one, other] = [a, b].map((start) => text.firstLine({ start, end: start + 40 })?.top);
  return one !== undefined && other !== undefined && Math.abs(one - other) < 2;
}

/** Keeps the line on screen when the text flows again. */
function useReflow(
  text: ReadingText | null,
  layout: string,
  offset: RefObject<number | null>,
): void {
  const shown = useRef(layout);
  useEffect(() => {
    if (shown.current === layout || !text) return;
    shown.current = layout;
    if (offset.current) scrollToOffset(text, offset.current);
  }, [text, layout, offset]);
}

/** How much of the text is above the bottom of the window. */
function progressOf(text: ReadingText): number {
  if (text.progress) return text.progress();
  const { top, height } = text.root.getBoundingClientRect();
  const room = height - window.innerHeight;
  if (room <= 0) return 1;
  return Math.min(1, Math.max(0, -top / room));
}
