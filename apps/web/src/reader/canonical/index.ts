export { type CanonicalMap, canonicalize } from "./canonicalize";
export { CodePointIndex, codePointLength } from "./codepoints";
export {
  type Offsets,
  offsetsToRange,
  offsetsToSegments,
  rangeToOffsets,
  type Segment,
  textAt,
  touchesCode,
} from "./mapping";
