import { useCallback, useEffect, useRef, useState } from "react";
import type { ArticleText } from "../text/articleText";
import { insideLinkAt, targetOf } from "./insideLink";
import { type Note, noteOf, noteReferences } from "./notes";

/** A note that is open, and the link it was opened from. */
export interface OpenNote extends Note {
  /** Tells one opening from the next, of the same note too. */
  readonly key: number;
  readonly link: HTMLAnchorElement;
  readonly offset: number;
  /** As of the text it is from. */
  readonly dir: string;
  readonly lang: string;
}

interface InsideLinksInput {
  text: ArticleText | null;
  /** Which fragment of the document the text is. */
  fragment: number;
  onJump: (offset: number, link: HTMLAnchorElement | null) => void;
}

/** Follows the links that stay in the document: a note opens where it is referred to. */
export function useInsideLinks({ text, fragment, onJump }: InsideLinksInput) {
  const [note, setNote] = useState<OpenNote | null>(null);
  const latest = useRef({ note, onJump });
  useEffect(() => {
    latest.current = { note, onJump };
  });

  useEffect(() => {
    if (!text) return;
    const references = noteReferences(text.map);
    for (const link of references) {
      link.setAttribute("aria-haspopup", "dialog");
      link.setAttribute("aria-expanded", "false");
    }
    let openings = 0;
    // A press on the reference of an open note closes it before the click comes.
    let pressed: HTMLAnchorElement | null = null;
    const onDown = () => {
      pressed = latest.current.note?.link ?? null;
    };
    const onClick = (event: MouseEvent) => {
      const link = insideLinkAt(event.target);
      if (!link || !isPlain(event)) return;
      event.preventDefault();
      const target = targetOf(link);
      const selecting = event.detail > 0 && !(document.getSelection()?.isCollapsed ?? true);
      if (selecting || target?.fragment !== fragment) return;
      if (link === pressed && event.detail > 0) return;
      const found = references.has(link) ? noteOf(text.map, link, references) : null;
      if (found) {
        const { dir, lang } = text.root;
        setNote({ ...found, key: openings++, link, offset: target.offset, dir, lang });
      } else latest.current.onJump(target.offset, link);
    };
    text.root.addEventListener("pointerdown", onDown);
    text.root.addEventListener("click", onClick);
    return () => {
      text.root.removeEventListener("pointerdown", onDown);
      text.root.removeEventListener("click", onClick);
      setNote(null);
    };
  }, [text, fragment]);

  // The browser may tell late, when another note is open already.
  const close = useCallback((closed: OpenNote) => {
    setNote((open) => (open === closed ? null : open));
  }, []);
  return { note, close };
}

/** A click that follows a link here; with any other the browser opens the link's own address. */
export function isPlain(
  event: Pick<MouseEvent, "button" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">,
) {
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
