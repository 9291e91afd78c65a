import type { HighlightSpan } from "../../../api/highlights";
import { LIMITS } from "../../../api/schema";
import type { Offsets } from "../../../canonical";
import type { TextPiece } from "./readingText";

/** How much text around a passage the server compares. */
const CONTEXT_LENGTH = LIMITS.context_length;

/** A passage as the server takes it: offsets in its piece, and the text that must be there. */
export function describeSpan({ codePoints, start: first }: TextPiece, passage: Offsets) {
  const start = passage.start - first;
  const end = passage.end - first;
  return {
    start_offset: start,
    end_offset: end,
    exact: codePoints.slice(start, end),
    prefix: codePoints.slice(Math.max(0, start - CONTEXT_LENGTH), start),
    suffix: codePoints.slice(end, end + CONTEXT_LENGTH),
  } satisfies HighlightSpan;
}
