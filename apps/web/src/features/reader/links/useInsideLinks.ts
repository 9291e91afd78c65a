import { useCallback, useEffect, useRef, useState } from "react";
import type { ReadingText } from "../text/readingText";
import { insideLinkAt } from "./insideLink";
import type { Note } from "./notes";

/** A note that is open, and the link it was opened from. */
export interface OpenNote extends Note {
  /** Tells one opening from the next, of the same note too. */
  readonly key: number;
  readonly link: HTMLAnchorElement;
  readonly offset: number;
  /** The text that the note is of. */
  readonly text: ReadingText;
  /** As of the text it is from. */
  readonly dir: string;
  readonly lang: string;
}

interface InsideLinksInput {
  text: ReadingText | null;
  onJump: (offset: number, link: HTMLAnchorElement | null) => void;
}

/** Follows the links that stay in the document: a note opens where it is referred to. */
export function useInsideLinks({ text, onJump }: InsideLinksInput) {
  const [note, setNote] = useState<OpenNote | null>(null);
  const latest = useRef({ note, onJump });
  useEffect(() => {
    latest.current = { note, onJump };
  });

  useEffect(() => {
    if (!text) return;
    const stopMarking = markReferences(text);
    let openings = 0;
    // A press on the reference of an open note closes it before the click comes.
    let pressed: HTMLAnchorElement | null = null;
    const onDown = () => {
      pressed = latest.current.note?.link ?? null;
    };
    let left = false;
    const follow = async (link: HTMLAnchorElement, offset: number | null) => {
      if (offset === null || left) return;
      const asked = text.notes?.references.has(link) ? text.notes.noteOf(link) : null;
      const found = asked instanceof Promise ? await asked : asked;
      if (left) return;
      if (found) {
        const { dir, lang } = link.closest<HTMLElement>("section") ?? text.root;
        setNote({ ...found, key: openings++, link, offset, text, dir, lang });
      } else latest.current.onJump(offset, link);
    };
    const onClick = (event: MouseEvent) => {
      const link = insideLinkAt(event.target);
      if (!link || !isPlain(event)) return;
      event.preventDefault();
      const selecting = event.detail > 0 && !(document.getSelection()?.isCollapsed ?? true);
      if (selecting || (link === pressed && event.detail > 0)) return;
      const target = text.targetOf(link);
      if (target instanceof Promise) void target.then((offset) => follow(link, offset));
      else void follow(link, target);
    };
    text.root.addEventListener("pointerdown", onDown);
    text.root.addEventListener("click", onClick);
    return () => {
      left = true;
      stopMarking();
      text.root.removeEventListener("pointerdown", onDown);
      text.root.removeEventListener("click", onClick);
      setNote(null);
    };
  }, [text]);

  // The browser may tell late, when another note is open already.
  const close = useCallback((closed: OpenNote) => {
    setNote((open) => (open === closed ? null : open));
  }, []);
  return { note, close };
}

/** Tells screen readers which links open a note, also on lines that come later. */
function markReferences(text: ReadingText): () => void {
  const mark = () => {
    for (const link of text.notes?.references ?? []) {
      if (link.hasAttribute("aria-haspopup")) continue;
      link.setAttribute("aria-haspopup", "dialog");
      link.setAttribute("aria-expanded", "false");
    }
  };
  mark();
  return text.onChange(mark);
}

/** A click that follows a link here; with any other the browser opens the link's own address. */
export function isPlain(
  event: Pick<MouseEvent, "button" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">,
) {
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
