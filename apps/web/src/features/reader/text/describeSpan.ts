import type { HighlightSpan } from "../../../api/highlights";
import { LIMITS } from "../../../api/schema";
import type { CanonicalMap, Offsets } from "../../../canonical";

/** How much text around a passage the server compares. */
const CONTEXT_LENGTH = LIMITS.context_length;

/** A passage as the server takes it: offsets, and the text that must be there. */
export function describeSpan(
  { codePoints }: Pick<CanonicalMap, "codePoints">,
  { start, end }: Offsets,
): HighlightSpan {
  return {
    start_offset: start,
    end_offset: end,
    exact: codePoints.slice(start, end),
    prefix: codePoints.slice(Math.max(0, start - CONTEXT_LENGTH), start),
    suffix: codePoints.slice(end, end + CONTEXT_LENGTH),
  };
}
