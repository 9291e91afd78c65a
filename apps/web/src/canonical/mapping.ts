/** From what is selected in the DOM to offsets in the canonical text, and back. */

import type { CanonicalMap } from "./canonicalize";
import { at, firstIndex, offsetToUnit, pieceEnd, unitToOffset } from "./pieces";

/** Code points [start, end) of the canonical text. */
export interface Offsets {
  readonly start: number;
  readonly end: number;
}

/** UTF-16 units [start, end) of one text node. */
export interface Segment {
  readonly node: Text;
  readonly start: number;
  readonly end: number;
}

/**
 * The part of the canonical text that a range covers, without whitespace at its edges; null when
 * nothing is left. The range may begin or end anywhere in the document, between elements too.
 */
export function rangeToOffsets(map: CanonicalMap, range: Range): Offsets | null {
  if (range.collapsed || map.pieces.count === 0) return null;
  const start = startOffset(map, range);
  const end = endOffset(map, range);
  return start < end ? trimmed(map, start, end) : null;
}

/** The text of some offsets. */
export function textAt(map: CanonicalMap, { start, end }: Offsets): string {
  return map.codePoints.slice(start, end);
}

/** The stretches of text nodes that hold the given offsets, in document order, one per node. */
export function offsetsToSegments(map: CanonicalMap, { start, end }: Offsets): Segment[] {
  const { pieces } = map;
  const [first, after] = piecesBetween(map, start, end);
  const segments: Segment[] = [];
  for (let piece = first; piece < after; ) {
    const index = at(pieces.node, piece);
    const last = Math.min(after, firstPieceFrom(map, index + 1)) - 1;
    const node = map.nodes[index];
    if (node !== undefined) {
      segments.push({
        node,
        start: offsetToUnit(pieces, piece, start, false),
        end: offsetToUnit(pieces, last, end, true),
      });
    }
    piece = last + 1;
  }
  return segments;
}

/** One DOM range around the given offsets; null when there is no text there. */
export function offsetsToRange(map: CanonicalMap, offsets: Offsets): Range | null {
  const segments = offsetsToSegments(map, offsets);
  const first = segments[0];
  const last = segments[segments.length - 1];
  if (first === undefined || last === undefined) return null;
  const range = map.root.ownerDocument.createRange();
  range.setStart(first.node, first.start);
  range.setEnd(last.node, last.end);
  return range;
}

/** Whether what a range selects, its edges trimmed, has any text of `pre` or `code` in it. */
export function touchesCode(map: CanonicalMap, range: Range): boolean {
  const offsets = rangeToOffsets(map, range);
  if (offsets === null) return false;
  const [first, after] = piecesBetween(map, offsets.start, offsets.end);
  for (let piece = first; piece < after; piece += 1) {
    if (at(map.inCode, at(map.pieces.node, piece)) === 1) return true;
  }
  return false;
}

/** The pieces [first, after) that hold some of the given offsets. */
function piecesBetween({ pieces }: CanonicalMap, start: number, end: number): [number, number] {
  return [
    firstIndex(pieces.count, (piece) => pieceEnd(pieces, piece) > start),
    firstIndex(pieces.count, (piece) => at(pieces.start, piece) >= end),
  ];
}

function startOffset(map: CanonicalMap, range: Range): number {
  const { pieces } = map;
  const index = indexOfNode(map, range.startContainer);
  if (index >= 0) {
    const unit = range.startOffset;
    const piece = firstPieceWhere(map, index, (p) => unitEnd(map, p) > unit);
    return piece < pieces.count && at(pieces.node, piece) === index
      ? unitToOffset(pieces, piece, unit, false)
      : pieceStart(map, piece);
  }
  const next = firstIndex(map.nodes.length, (i) => compare(map, range, i, false) >= 0);
  return pieceStart(map, firstPieceFrom(map, next));
}

function endOffset(map: CanonicalMap, range: Range): number {
  const { pieces } = map;
  const index = indexOfNode(map, range.endContainer);
  if (index >= 0) {
    const unit = range.endOffset;
    const piece = firstPieceWhere(map, index, (p) => at(pieces.unitStart, p) >= unit) - 1;
    if (piece < 0) return 0;
    return at(pieces.node, piece) === index
      ? unitToOffset(pieces, piece, unit, true)
      : pieceEnd(pieces, piece);
  }
  const next = firstIndex(map.nodes.length, (i) => compare(map, range, i, true) > 0);
  const piece = firstPieceFrom(map, next) - 1;
  return piece < 0 ? 0 : pieceEnd(pieces, piece);
}

/** The index of a text node in the map, or -1. */
function indexOfNode(map: CanonicalMap, node: Node): number {
  if (node.nodeType !== Node.TEXT_NODE) return -1;
  const index = firstIndex(map.nodes.length, (i) => {
    const other = map.nodes[i];
    if (other === undefined || other === node) return true;
    return (node.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  });
  return map.nodes[index] === node ? index : -1;
}

/** -1, 0 or 1: whether an edge of a text node lies before, in or after the range. */
function compare(map: CanonicalMap, range: Range, index: number, end: boolean): number {
  const node = map.nodes[index];
  return node === undefined ? 1 : range.comparePoint(node, end ? node.length : 0);
}

/** The start of a piece in the canonical text; the end of the text for one past the last. */
function pieceStart(map: CanonicalMap, piece: number): number {
  return piece < map.pieces.count ? at(map.pieces.start, piece) : map.codePoints.length;
}

function unitEnd(map: CanonicalMap, piece: number): number {
  return at(map.pieces.unitStart, piece) + at(map.pieces.unitLength, piece);
}

/** The first piece of the given text node or of one after it. */
function firstPieceFrom(map: CanonicalMap, node: number): number {
  return firstIndex(map.pieces.count, (piece) => at(map.pieces.node, piece) >= node);
}

/** The first piece of the node that passes the test, or the first piece of a later node. */
function firstPieceWhere(
  map: CanonicalMap,
  node: number,
  test: (piece: number) => boolean,
): number {
  return firstIndex(map.pieces.count, (piece) => {
    const owner = at(map.pieces.node, piece);
    return owner > node || (owner === node && test(piece));
  });
}

function trimmed(map: CanonicalMap, start: number, end: number): Offsets | null {
  const text = map.codePoints.slice(start, end);
  const left = text.length - text.replace(/^[ \n]+/, "").length;
  const core = text.replace(/^[ \n]+|[ \n]+$/g, "");
  if (core === "") return null;
  return { start: start + left, end: end - (text.length - left - core.length) };
}

/** The offset of the first text at or after a point in one of the map's text nodes. */
export function offsetOfPoint(map: CanonicalMap, node: Text, unit: number): number {
  const range = map.root.ownerDocument.createRange();
  range.setStart(node, unit);
  return startOffset(map, range);
}
