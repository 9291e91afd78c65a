import type { PagesText } from "./pagesText";

const WHEEL_STEP = 0.002;

/** Ctrl and the wheel, or two fingers, change the size of the pages around where they are. */
export function followGestures(text: PagesText): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const { root, stack } = text;
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const factor = stack.layout.factor * Math.exp(-event.deltaY * WHEEL_STEP);
    text.setZoom(factor, { x: event.clientX, y: event.clientY });
  };
  let begun: { distance: number; factor: number } | null = null;
  const onTouch = (event: TouchEvent) => {
    const [a, b] = event.touches;
    if (!a || !b) {
      begun = null;
      return;
    }
    event.preventDefault();
    const distance = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    begun ??= { distance, factor: stack.layout.factor };
    const at = { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 };
    text.setZoom((begun.factor * distance) / begun.distance, at);
  };
  const active = { passive: false, signal };
  root.addEventListener("wheel", onWheel, active);
  root.addEventListener("touchmove", onTouch, active);
  root.addEventListener("touchend", onTouch, { signal });
  return () => stop.abort();
}

/** What is copied is the text that is stored and quoted, not the pieces on the page. */
export function copyAsText(text: PagesText): () => void {
  const onCopy = (event: ClipboardEvent) => {
    const selection = document.getSelection();
    const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
    const found = range && text.selected(range);
    if (!found || !event.clipboardData) return;
    const { start, end } = found.passage;
    event.clipboardData.setData("text/plain", text.pieceAt().codePoints.slice(start, end));
    event.preventDefault();
  };
  text.root.addEventListener("copy", onCopy);
  return () => text.root.removeEventListener("copy", onCopy);
}
