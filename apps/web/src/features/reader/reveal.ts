import type { Offsets } from "../../canonical";
import type { ReadingText } from "./text/readingText";

const TOP_EDGE = 80;

/**
 * Scrolls a passage into view, unless its beginning is there already. Of the window, only the
 * part above a sheet counts when `covered`. Returns whether it scrolled.
 */
export function revealPassage(
  text: ReadingText,
  passage: Offsets,
  covered: boolean,
  top = window.innerHeight * (covered ? 0.2 : 0.3),
): boolean {
  openDetails(text, passage);
  const line = text.firstLine(passage);
  if (!line) return false;
  const bottomEdge = window.innerHeight * (covered ? 0.35 : 0.75);
  if (line.top >= TOP_EDGE && line.bottom <= bottomEdge) return false;
  const near = Math.abs(line.top - top) < window.innerHeight * 2;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  text.scrollTo(passage.start, top, near && !calm ? "smooth" : "instant");
  return true;
}

/** What is folded away has no place to scroll to. */
function openDetails(text: ReadingText, passage: Offsets): void {
  const node = text.rangeOf(passage)?.startContainer;
  let folded = node?.parentElement?.closest("details:not([open])");
  while (folded instanceof HTMLDetailsElement) {
    folded.open = true;
    folded = folded.parentElement?.closest("details:not([open])");
  }
}
