import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Offsets } from "../../../canonical";
import type { TextPlace } from "../../../shared/places";
import { useShortcuts } from "../../../shared/shortcuts";
import type { Jumps } from "../links/useJumps";
import { revealPassage } from "../reveal";
import type { ReadingText } from "../text/readingText";
import { nearScreen } from "./nearScreen";
import { useHits } from "./useHits";

const LONGEST_SELECTION = 100;

interface FindInput {
  /** Null while there is no text that could be searched. */
  text: ReadingText | null;
  jumps: Pick<Jumps, "here" | "went">;
  /** Whether the browser's own find would miss some of the text: then its keys lead here. */
  insteadOfBrowser: boolean;
}

export type Finding = ReturnType<typeof useFind>;

/** Finding words in the text: what is looked for, what is found, and where one is in it. */
export function useFind({ text, jumps, insteadOfBrowser }: FindInput) {
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  const [focusRequest, setFocusRequest] = useState(0);
  const finding = useRef(false);
  // Where the person was when they began to look, and the hit they are at.
  const began = useRef<TextPlace | null>(null);
  const last = useRef<Offsets | null>(null);

  const from = useCallback(() => last.current?.start ?? began.current?.offset ?? 0, []);
  const onArrive = useCallback(
    (hit: Offsets) => {
      last.current = hit;
      if (text) revealPassage(text, hit, false);
    },
    [text],
  );
  const { found, at, step } = useHits(open ? text : null, query, from, onArrive);

  const show = useCallback(() => {
    if (!text) return;
    if (!finding.current) {
      began.current = jumps.here();
      last.current = null;
      const selected = document.getSelection()?.toString().trim() ?? "";
      if (selected && selected.length <= LONGEST_SELECTION) setQuery(selected);
    }
    finding.current = true;
    setOpen(true);
    setFocusRequest((count) => count + 1);
  }, [text, jumps]);

  const close = useCallback(() => {
    finding.current = false;
    setOpen(false);
    if (!text) return;
    text.root.focus({ preventScroll: true });
    if (began.current && last.current && isOffScreen(text, began.current.offset)) {
      jumps.went(began.current, last.current.start);
    }
  }, [text, jumps]);

  useMarks(open ? text : null, found?.hits, found?.hits[at]);
  useFindKeys({ open, show, close, step, insteadOfBrowser: insteadOfBrowser && !!text });
  const isFinding = useCallback(() => finding.current, []);
  const bar = { query, setQuery, focusRequest, found, at, step, close, text };
  return { available: !!text, open: open && !!text, show, close, bar, isFinding };
}

/** Marks what is found, near the screen, and the hit one is at. */
function useMarks(
  text: ReadingText | null,
  hits: readonly Offsets[] | undefined,
  current: Offsets | undefined,
): void {
  useEffect(() => {
    if (!text || !hits) return;
    let frame = 0;
    const mark = () => {
      text.emphasize("found", nearScreen(text, hits));
    };
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    };
    mark();
    const stopListening = text.onChange(later);
    window.addEventListener("scroll", later, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      stopListening();
      window.removeEventListener("scroll", later);
      text.emphasize("found", []);
    };
  }, [text, hits]);
  useEffect(() => {
    if (!text || !current) return;
    text.emphasize("found-here", [current]);
    return () => text.emphasize("found-here", []);
  }, [text, current]);
}

interface FindKeys {
  open: boolean;
  show: () => void;
  close: () => void;
  step: (direction: 1 | -1) => void;
  insteadOfBrowser: boolean;
}

function useFindKeys({ open, show, close, step, insteadOfBrowser }: FindKeys): void {
  useShortcuts(
    useMemo(
      () => [{ keys: ["f"], label: "Find in the text", group: "Reading", run: show }],
      [show],
    ),
  );
  // Added later than the reader's own: while the bar is open, Escape closes it first.
  useShortcuts(
    useMemo(
      () => (open ? [{ keys: ["Escape"], label: "Close", group: "Finding", run: close }] : []),
      [open, close],
    ),
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const command = event.ctrlKey || event.metaKey;
      if (event.key === "F3" && open) step(event.shiftKey ? -1 : 1);
      else if (insteadOfBrowser && (event.key === "F3" || (command && event.key === "f"))) show();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [open, show, step, insteadOfBrowser]);
}

function isOffScreen(text: ReadingText, offset: number): boolean {
  const line = text.firstLine({ start: offset, end: offset + 40 });
  return !!line && (line.bottom < 0 || line.top > window.innerHeight);
}
