import { useEffect, useRef } from "react";
import { showToast } from "../../../ui/toasts";
import type { ReaderHighlight } from "../data/readerHighlight";
import { linkedHighlight, showLink } from "../linkedHighlight";
import type { ReadingText } from "../text/readingText";

interface LinkInput {
  text: ReadingText | null;
  highlights: readonly ReaderHighlight[];
  loaded: boolean;
  active: ReaderHighlight | null;
  activate: (id: string | null, how?: { focus?: boolean; reveal?: boolean }) => void;
}

/** The address names a highlight: go to it, and name the one that is active. True if it does. */
export function useHighlightLink(input: LinkInput): boolean {
  const { text, highlights, loaded, active, activate } = input;
  const wanted = useRef(linkedHighlight(window.location.hash));
  const linked = useRef(wanted.current !== null);
  useEffect(() => {
    const id = wanted.current;
    if (!id || !text || !loaded) return;
    wanted.current = null;
    const highlight = highlights.find((one) => one.id === id);
    if (highlight) activate(highlight.id, { reveal: true });
    else showToast("The highlight this link points to no longer exists.", "error");
  }, [text, loaded, highlights, activate]);
  useEffect(() => {
    if (wanted.current === null && loaded) showLink(active && !active.pending ? active.id : null);
  }, [active, loaded]);
  return linked.current;
}
