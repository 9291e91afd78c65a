import { type RefObject, useLayoutEffect } from "react";

/** Which edges of the popup and its button are in line, or their centers, where there is room. */
export type Align = "start" | "center" | "end";

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Size {
  width: number;
  height: number;
}

interface Place {
  left: number;
  top: number;
  maxHeight: number;
}

const MARGIN = 8;
const GAP = 4;

interface Beside {
  align: Align;
  /** How far it is from its button. */
  gap?: number;
}

/** Where a popup goes: below its button, else above, and always inside the window. */
export function placeBeside(button: Box, popup: Size, window: Size, beside: Beside): Place {
  const { align, gap = GAP } = beside;
  const below = window.height - MARGIN - (button.bottom + gap);
  const above = button.top - gap - MARGIN;
  const under = popup.height <= below || below >= above;
  // Next to a button that is itself half out of the window there is still all of the window.
  const maxHeight = Math.min(Math.max(under ? below : above, 0), window.height - 2 * MARGIN);
  const height = Math.min(popup.height, maxHeight);
  const left = {
    start: button.left,
    center: (button.left + button.right - popup.width) / 2,
    end: button.right - popup.width,
  }[align];
  const top = under ? button.bottom + gap : button.top - gap - height;
  return {
    left: clamp(left, window.width - popup.width),
    top: clamp(top, window.height - height),
    maxHeight,
  };
}

/** Between the margins at both ends; at the first one if it does not fit. */
function clamp(at: number, end: number): number {
  return Math.max(MARGIN, Math.min(at, end - MARGIN));
}

/** Keeps an open popup beside its button, whatever grows, scrolls or turns meanwhile. */
export function usePlacement(
  popup: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  { open, align, gap = GAP }: Beside & { open: boolean },
): void {
  useLayoutEffect(() => {
    const element = popup.current;
    if (!open || !element) return;
    const place = () => button.current && putBeside(element, button.current, { align, gap });
    // Its own scrolling moves nothing, and is heard here like all scrolling.
    const onScroll = (event: Event) => {
      if (!(event.target instanceof Node && element.contains(event.target))) place();
    };
    const observer = new ResizeObserver(place);
    observer.observe(element);
    window.addEventListener("resize", place);
    window.addEventListener("scroll", onScroll, { capture: true, passive: true });
    place();
    // Shown only now: the browser opens it before it can be measured.
    element.dataset.placed = "";
    return () => {
      delete element.dataset.placed;
      observer.disconnect();
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", onScroll, { capture: true });
    };
  }, [popup, button, open, align, gap]);
}

function putBeside(popup: HTMLElement, button: HTMLElement, beside: Beside): void {
  const borders = popup.offsetHeight - popup.clientHeight;
  // As high as it wants to be: the limit set before must not count.
  const size = { width: popup.offsetWidth, height: popup.scrollHeight + borders };
  const page = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const { left, top, maxHeight } = placeBeside(button.getBoundingClientRect(), size, page, beside);
  popup.style.left = `${left}px`;
  popup.style.top = `${top}px`;
  popup.style.maxHeight = `${maxHeight}px`;
}
