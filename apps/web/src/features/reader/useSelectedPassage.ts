import { useEffect, useState } from "react";
import type { ReadingText, SelectedPassage } from "./text/readingText";

/** Handles on a phone move the selection many times; this long without a change, and it is meant. */
const SETTLED_MS = 150;

/** The passage the reader has selected, once the mouse is up or the selection has settled. */
export function useSelectedPassage(text: ReadingText | null): SelectedPassage | null {
  const [selected, setSelected] = useState<SelectedPassage | null>(null);
  useEffect(() => {
    if (!text) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let held = false;
    const read = () => {
      clearTimeout(timer);
      if (!held) setSelected((old) => keepSame(old, readSelection(text)));
    };
    const onChange = () => {
      clearTimeout(timer);
      if (document.getSelection()?.isCollapsed ?? true) setSelected(null);
      else timer = setTimeout(read, SETTLED_MS);
    };
    const onDown = (event: PointerEvent) => {
      held = event.pointerType === "mouse";
    };
    const onUp = () => {
      held = false;
      // The click that follows may still take the selection away.
      timer = setTimeout(read);
    };
    // The pages of a PDF can be selected before their text has come: only then it is a passage.
    onChange();
    const stopFollowing = text.onChange(onChange);
    document.addEventListener("selectionchange", onChange);
    document.addEventListener("pointerdown", onDown, true);
    document.addEventListener("pointerup", onUp, true);
    document.addEventListener("pointercancel", onUp, true);
    return () => {
      clearTimeout(timer);
      stopFollowing();
      document.removeEventListener("selectionchange", onChange);
      document.removeEventListener("pointerdown", onDown, true);
      document.removeEventListener("pointerup", onUp, true);
      document.removeEventListener("pointercancel", onUp, true);
      setSelected(null);
    };
  }, [text]);
  return selected;
}

/** What is selected right now, for keys that must not wait. */
export function readSelection(text: ReadingText): SelectedPassage | null {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(text.root)) return null;
  return text.selected(range);
}

function keepSame(old: SelectedPassage | null, next: SelectedPassage | null) {
  const same = old && next && old.passage.start === next.passage.start;
  return same && old.passage.end === next.passage.end ? old : next;
}
