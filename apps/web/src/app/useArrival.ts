import { useEffect, useRef } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { focusMain, MAIN_ID } from "../shared/focusMain";
import { currentStep, leftView } from "../shared/places";
import { onceActed } from "../ui/onceActed";

// Long enough for a list to load on a slow line; after that, jumping would only disturb.
const PATIENCE_MS = 10_000;

/**
 * What happens as a view comes on screen: a new one starts at its top, one that was there before
 * is as it was left. The reader finds its place in the text by itself.
 */
export function useArrival(reading: boolean): void {
  useHistoryState(); // Draws again on every step.
  const { id } = currentStep();
  const shown = useRef<string | null>(null);
  useEffect(() => {
    const first = shown.current === null;
    if (shown.current === id) return undefined;
    shown.current = id;
    const before = leftView(id);
    if (before?.list) {
      // The list finds its row and the link by itself; without a row, it was at its top.
      if (!before.list.row) window.scrollTo(0, 0);
      if (!before.opened) focusMain();
      return undefined;
    }
    if (before?.scroll !== undefined && !reading) return comeBack(before.scroll, before.opened);
    if (!first) {
      window.scrollTo(0, 0);
      focusMain();
    }
    return undefined;
  }, [id, reading]);
}

/** Goes back to where the view was left, as soon as it is long enough for that. */
function comeBack(scroll: number, opened: string | undefined): () => void {
  const watch = new ResizeObserver(attempt);
  const timer = setTimeout(stop, PATIENCE_MS);
  const stopListening = onceActed(stop);
  watch.observe(document.body);
  attempt();
  return stop;

  function attempt(): void {
    window.scrollTo({ top: scroll, behavior: "instant" });
    if (Math.abs(window.scrollY - scroll) > 1) return;
    focusOn(opened);
    stop();
  }

  function stop(): void {
    watch.disconnect();
    clearTimeout(timer);
    stopListening();
  }
}

/** Focus returns to the link that was followed, so that the keyboard goes on from there. */
function focusOn(opened: string | undefined): void {
  const links = document.querySelectorAll<HTMLElement>(`#${MAIN_ID} a`);
  const link = [...links].find((one) => opened && one.getAttribute("href") === opened);
  if (link) link.focus({ preventScroll: true });
  else focusMain();
}
