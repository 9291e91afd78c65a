import { useLayoutEffect } from "react";
import { type ReaderHighlight, toSpan } from "../data/readerHighlight";
import type { ReadingText } from "../text/readingText";

/** Draws the highlights on the text, and stresses those one is on or points at. */
export function useDrawing(
  text: ReadingText | null,
  highlights: readonly ReaderHighlight[],
  active: ReaderHighlight | null,
  pointedIds: readonly string[],
): void {
  useLayoutEffect(() => text?.setHighlights(highlights.map(toSpan)), [text, highlights]);
  useLayoutEffect(() => text?.emphasize("active", active ? [active.passage] : []), [text, active]);
  useLayoutEffect(() => {
    const pointed = highlights.filter(({ id }) => pointedIds.includes(id));
    text?.emphasize(
      "hover",
      pointed.map(({ passage }) => passage),
    );
  }, [text, highlights, pointedIds]);
}
