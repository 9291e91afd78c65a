import { whenVisible } from "../../ui/whenVisible";

const SETTLED_MS = 300;
/** So long a text that needs no scroll is looked at before it counts as read. */
const STAYED_MS = 10_000;

interface Watched {
  onScroll: () => void;
  /** The page has come to rest after a scroll. */
  onRest: () => void;
  /** The page was looked at for a while. */
  onStay: () => void;
  /** The page is being left, perhaps for good. */
  onLeave: () => void;
}

/** Follows a person who reads. A tab that only waits in the background is not read. */
export function watchReader({ onScroll, onRest, onStay, onLeave }: Watched): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let staying: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  let looked = false;
  const follow = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(onScroll);
    clearTimeout(resting);
    resting = setTimeout(() => looked && onRest(), SETTLED_MS);
  };
  const leave = () => looked && onLeave();
  window.addEventListener("scroll", follow, { passive: true, signal });
  window.addEventListener("pagehide", leave, { signal });
  document.addEventListener("visibilitychange", leave, { signal });
  // After the listener above: somebody who looks for the first time does not leave.
  const stopWaiting = whenVisible(() => {
    looked = true;
    staying = setTimeout(onStay, STAYED_MS);
  });
  return () => {
    stop.abort();
    stopWaiting();
    cancelAnimationFrame(frame);
    clearTimeout(resting);
    clearTimeout(staying);
  };
}
