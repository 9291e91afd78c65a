export { type CanonicalMap, canonicalize } from "./canonicalize";
export { CodePointIndex, codePointLength } from "./codepoints";
export {
  type Offsets,
  offsetOfPoint,
  offsetsToRange,
  offsetsToSegments,
  rangeToOffsets,
  type Segment,
  textAt,
  touchesCode,
} from "./mapping";
export { mapOfRuns, type NodeRun } from "./runs";
