import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import {
  currentStep,
  keepPlace,
  placeInside,
  stepInside,
  type TextPlace,
} from "../../../shared/places";
import { offsetOnScreen, scrollToOffset } from "../placeOnScreen";
import { revealPassage } from "../reveal";
import type { ArticleText } from "../text/articleText";
import { blockAt, insideTarget, startOf, textNodeAt } from "./insideLink";

/** So far from where a jump led, in windows, a person no longer only looks something up. */
const LOOKING_UP = 2;
const MARKED_MS = 2_500;
const LONGEST_MARK = 600;

export type Jumps = ReturnType<typeof useJumps>;

/**
 * Jumps to other places of the text. Each is a step in the history of the same view, so that the
 * browser's way back leads to where one was.
 */
export function useJumps(text: ArticleText | null, fragment: number) {
  // The address or the history asks for a place of its own as the article opens.
  const [opening] = useState(() => openingPlace(fragment));
  const [view] = useState(() => currentStep().id);
  const [canReturn, setCanReturn] = useState(false);
  // Where the last jump led; null once the person reads on there.
  const landed = useRef<number | null>(null);

  const arrive = useCallback((offset: number | null) => {
    landed.current = offset;
    setCanReturn(offset !== null && (currentStep().inside ?? 0) > 0);
  }, []);

  useLayoutEffect(() => {
    if (!text || !opening) return;
    if (opening.place) scrollToOffset(text, opening.offset, opening.place.top);
    else land(text, opening.offset);
    arrive(opening.offset);
  }, [text, opening, arrive]);

  useEffect(() => {
    if (!text) return;
    const onPop = () => {
      const place = currentStep().id === view ? placeInside() : null;
      if (!place) return;
      scrollToOffset(text, place.offset, place.top);
      focusLink(text, place.link);
      arrive(currentStep().inside ? place.offset : null);
    };
    window.addEventListener("popstate", onPop);
    return () => window.removeEventListener("popstate", onPop);
  }, [text, view, arrive]);

  const jump = useCallback(
    (offset: number, link: HTMLAnchorElement | null) => {
      if (!text) return;
      const here = placeOf(text, link);
      if (!land(text, offset)) return;
      if (here) stepInside(here, { offset, top: window.innerHeight * 0.3 });
      arrive(offset);
    },
    [text, arrive],
  );

  /** Whether the person only looks something up where they are; ends that when they read on. */
  const isLookingUp = useCallback((): boolean => {
    if (!text || landed.current === null) return false;
    const top = text.firstLine(passageFrom(text, landed.current))?.top ?? 0;
    if (Math.abs(top) <= window.innerHeight * LOOKING_UP) return true;
    arrive(null);
    return false;
  }, [text, arrive]);

  /** Remembers the place on screen for the step that a jump made. */
  const keep = useCallback(() => {
    const place = text && placeInside() && placeOf(text, null);
    if (place) keepPlace(place);
  }, [text]);

  const stay = useCallback(() => arrive(null), [arrive]);
  return { opensElsewhere: opening !== null, canReturn, jump, stay, isLookingUp, keep };
}

function openingPlace(fragment: number): { offset: number; place?: TextPlace } | null {
  const asked = insideTarget(window.location.hash);
  if (asked?.fragment === fragment) return { offset: asked.offset };
  const place = currentStep().inside ? placeInside() : null;
  return place && { offset: place.offset, place };
}

/** The line at the top of the window and where it is; the link is the one followed from there. */
function placeOf(text: ArticleText, link: HTMLAnchorElement | null): TextPlace | null {
  const offset = offsetOnScreen(text) ?? 0;
  const line = text.firstLine({ start: offset, end: offset + 40 });
  if (!line) return null;
  const place = { offset, top: line.top };
  return link ? { ...place, link: linksOf(text).indexOf(link) } : place;
}

function linksOf(text: ArticleText): HTMLAnchorElement[] {
  return [...text.root.querySelectorAll("a")];
}

function focusLink(text: ArticleText, index: number | undefined): void {
  const link = index === undefined ? undefined : linksOf(text)[index];
  (link ?? text.root).focus({ preventScroll: true });
}

/** Shows a place of the text, marks it and gives it focus. Returns whether it had to scroll. */
function land(text: ArticleText, offset: number): boolean {
  const passage = passageFrom(text, offset);
  const moved = revealPassage(text, passage, false);
  text.emphasize("target", [passage]);
  setTimeout(() => text.emphasize("target", []), MARKED_MS);
  const node = textNodeAt(text.map, offset);
  const link = node?.parentElement?.closest<HTMLElement>("a[href]");
  focusOn(link ?? blockAt(text.map, offset) ?? text.root);
  return moved;
}

/** From an offset to the end of its block. */
function passageFrom(text: ArticleText, offset: number): { start: number; end: number } {
  const { map } = text;
  const start = Math.max(0, Math.min(offset, map.codePoints.length - 1));
  const block = blockAt(map, start);
  const end = block ? startOf(map, block) + block.textContent.length : start + 1;
  return { start, end: Math.max(start + 3, Math.min(end, start + LONGEST_MARK)) };
}

/** Gives focus to something that cannot be acted on, for as long as it has it. */
function focusOn(element: HTMLElement): void {
  if (!element.matches("a, [tabindex]")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
