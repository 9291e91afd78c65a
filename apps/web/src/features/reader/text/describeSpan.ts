import type { HighlightSpan } from "../../../api/highlights";
import { LIMITS } from "../../../api/schema";
import { type CanonicalMap, type Offsets, textAt } from "../../../canonical";

/** How much text around a passage the server compares. */
const CONTEXT_LENGTH = LIMITS.context_length;

/** A passage as the server takes it: offsets, and the text that must be there. */
export function describeSpan(map: CanonicalMap, { start, end }: Offsets): HighlightSpan {
  return {
    start_offset: start,
    end_offset: end,
    exact: textAt(map, { start, end }),
    prefix: textAt(map, { start: Math.max(0, start - CONTEXT_LENGTH), end: start }),
    suffix: textAt(map, { start: end, end: end + CONTEXT_LENGTH }),
  };
}
