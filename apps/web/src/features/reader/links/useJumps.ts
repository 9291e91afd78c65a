import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Offsets } from "../../../canonical";
import { passageIn } from "../../../shared/paths";
import {
  currentStep,
  keepPlace,
  placeInside,
  stepInside,
  type TextPlace,
} from "../../../shared/places";
import { onceActed } from "../../../ui/onceActed";
import { offsetOnScreen, scrollToOffset } from "../placeOnScreen";
import type { ReadingText } from "../text/readingText";
import { offsetsOfPassage, type TextSpace } from "../text/textSpace";
import { insideTarget } from "./insideLink";
import { land, landOn } from "./landing";

/** So far from where a jump led, in windows, a person no longer only looks something up. */
const LOOKING_UP = 2;

export type Jumps = ReturnType<typeof useJumps>;

/**
 * Jumps to other places of the text. Each is a step in the history of the same view, so that the
 * browser's way back leads to where one was.
 */
export function useJumps(text: ReadingText | null, space: TextSpace | null) {
  // The address or the history asks for a place of its own as the article opens.
  const [opening] = useState(() => openingPlace(space));
  const [canReturn, setCanReturn] = useState(false);
  // Where the last jump led; null once the person reads on there.
  const landed = useRef<number | null>(null);
  // Whether they only look something up there, and have not come to read.
  const visits = useRef(true);

  const arrive = useCallback((offset: number | null) => {
    landed.current = offset;
    visits.current = true;
    setCanReturn(offset !== null && (currentStep().inside ?? 0) > 0);
  }, []);

  useOpening(text, opening, arrive);
  useReturning(text, arrive);

  const jump = useCallback(
    (offset: number, link: HTMLAnchorElement | null, toRead = false) => {
      if (!text) return;
      const here = placeOf(text, link);
      if (!land(text, offset)) return;
      if (here) stepInside(here, { offset, top: window.innerHeight * 0.3 });
      arrive(offset);
      visits.current = !toRead;
    },
    [text, arrive],
  );

  /** Jumps to a passage that was looked for outside of the text. */
  const show = useCallback(
    async (passage: Offsets) => {
      if (!text) return;
      const here = placeOf(text, null);
      if (text.ready && (await text.ready(passage.start)) === null) return;
      if (!landOn(text, passage)) return;
      if (here) stepInside(here, { offset: passage.start, top: window.innerHeight * 0.3 });
      arrive(passage.start);
    },
    [text, arrive],
  );

  /** Whether the person only looks something up where they are; ends that when they read on. */
  const isLookingUp = useCallback((): boolean => {
    if (!text || landed.current === null) return false;
    const start = landed.current;
    const top = text.firstLine({ start, end: start + 3 })?.top ?? 0;
    if (Math.abs(top) <= window.innerHeight * LOOKING_UP) return visits.current;
    arrive(null);
    return false;
  }, [text, arrive]);

  /** Remembers the place on screen for the step that a jump made. */
  const keep = useCallback(() => {
    const place = text && placeInside() && placeOf(text, null);
    if (place) keepPlace(place);
  }, [text]);

  /** Where the person is, to be led back to. */
  const here = useCallback(() => text && placeOf(text, null), [text]);

  /** Offers the way back to a place that was left without a link. */
  const went = useCallback(
    (left: TextPlace, offset: number) => {
      stepInside(left, { offset, top: window.innerHeight * 0.3 });
      arrive(offset);
    },
    [arrive],
  );

  const stay = useCallback(() => arrive(null), [arrive]);
  const opensElsewhere = opening !== null;
  return { opensElsewhere, canReturn, jump, show, stay, isLookingUp, keep, here, went };
}

/** Goes to the place that was asked for, once the text is there. */
function useOpening(
  text: ReadingText | null,
  opening: OpeningPlace | null,
  arrive: (offset: number | null) => void,
): void {
  const opened = useRef(false);
  useLayoutEffect(() => {
    // Shown in another way, it is not opened again.
    if (!text || !opening || opened.current) return;
    opened.current = true;
    const { offset, place, passage } = opening;
    let left = false;
    let stopListening: () => void = () => undefined;
    const leave = () => {
      left = true;
      stopListening();
    };
    const landThere = () => (passage ? landOn(text, passage) : land(text, offset));
    if (place) scrollToOffset(text, offset, place.top);
    else if (text.ready) {
      scrollToOffset(text, offset, window.innerHeight * 0.3);
      const ready = text.ready(offset);
      // Somebody who moves on meanwhile stays where they are.
      stopListening = onceActed(leave);
      void ready.then((there) => there !== null && !left && landThere()).then(stopListening);
    } else landThere();
    // Loaded again, the page is where the person has come to, and not at the passage.
    if (passage) keepPlace({ offset, top: window.innerHeight * 0.3 });
    arrive(offset);
    return leave;
  }, [text, opening, arrive]);
}

/** Follows the browser's steps between the places of the text. */
function useReturning(text: ReadingText | null, arrive: (offset: number | null) => void): void {
  const [view] = useState(() => currentStep().id);
  useEffect(() => {
    if (!text) return;
    let stopWaiting: () => void = () => undefined;
    const onPop = () => {
      stopWaiting();
      const place = currentStep().id === view ? placeInside() : null;
      if (!place) return;
      scrollToOffset(text, place.offset, place.top);
      stopWaiting = focusLink(text, place);
      arrive(currentStep().inside ? place.offset : null);
    };
    window.addEventListener("popstate", onPop);
    return () => {
      stopWaiting();
      window.removeEventListener("popstate", onPop);
    };
  }, [text, view, arrive]);
}

interface OpeningPlace {
  readonly offset: number;
  /** Where it was on the screen before. */
  readonly place?: TextPlace;
  /** What was looked for there. */
  readonly passage?: Offsets;
}

function openingPlace(space: TextSpace | null): OpeningPlace | null {
  const { hash, search } = window.location;
  const asked = insideTarget(hash);
  const offset = asked && space ? space.offsetOfLink(asked) : null;
  if (offset !== null) return { offset };
  const wanted = passageIn(search);
  const passage = wanted && space ? offsetsOfPassage(space, wanted) : null;
  const place = passage || currentStep().inside ? placeInside() : null;
  if (place) return { offset: place.offset, place };
  return passage && { offset: passage.start, passage };
}

/** The line at the top of the window and where it is; the link is the one followed from there. */
function placeOf(text: ReadingText, link: HTMLAnchorElement | null): TextPlace | null {
  const offset = offsetOnScreen(text) ?? 0;
  const line = text.firstLine({ start: offset, end: offset + 40 });
  if (!line) return null;
  const place = { offset, top: line.top };
  return link ? { ...place, link: linksOf(text, offset).indexOf(link) } : place;
}

function linksOf(text: ReadingText, offset: number): HTMLAnchorElement[] {
  return text.linksNear?.(offset) ?? [...text.root.querySelectorAll("a")];
}

/**
 * Gives focus to the link that was followed. Its chapter may have to be loaded again: then it gets it
 * once it is there, unless the person has done something meanwhile. Returns how to stop waiting.
 */
function focusLink(text: ReadingText, { link: index, offset }: TextPlace): () => void {
  const find = () => (index === undefined ? undefined : linksOf(text, offset)[index]);
  const link = find();
  (link ?? text.root).focus({ preventScroll: true });
  if (link || index === undefined) return () => undefined;
  const look = () => {
    const found = find();
    if (!found) return;
    stop();
    found.focus({ preventScroll: true });
  };
  const stops = [text.onChange(look), onceActed(() => stop())];
  const stop = () => {
    for (const one of stops) one();
  };
  return stop;
}
