import type { Offsets } from "../../../canonical";
import type { ReadingText } from "./readingText";

const CONTEXT = 30;

/** A passage with some of the text around it, to be spoken; empty where it is not here. */
export function wordsAround(text: ReadingText, { start, end }: Offsets): string {
  const piece = text.pieceAt(start);
  if (!piece) return "";
  const { codePoints, start: first } = piece;
  return codePoints.slice(start - first - CONTEXT, end - first + CONTEXT);
}
