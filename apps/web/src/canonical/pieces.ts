/**
 * The fine grain of the map: stretches of a text node that went into the canonical text unchanged
 * but for their whitespace. Kept as flat arrays, because a long article has tens of thousands.
 */

export interface Pieces {
  readonly count: number;
  /** Index of the text node a piece is from. */
  readonly node: Int32Array;
  /** First UTF-16 unit in that node, and how many. */
  readonly unitStart: Int32Array;
  readonly unitLength: Int32Array;
  /** First code point in the canonical text, and how many. */
  readonly start: Int32Array;
  readonly length: Int32Array;
}

export class PiecesBuilder {
  private readonly node: number[] = [];
  private readonly unitStart: number[] = [];
  private readonly unitLength: number[] = [];
  private readonly start: number[] = [];
  private readonly length: number[] = [];

  /** Add a piece; one that continues the last piece at the same scale is joined to it. */
  add(node: number, unitStart: number, unitLength: number, start: number, length: number): void {
    const last = this.node.length - 1;
    const lastUnits = this.unitLength[last] ?? 0;
    const lastLength = this.length[last] ?? 0;
    const continues =
      last >= 0 &&
      this.node[last] === node &&
      (this.unitStart[last] ?? 0) + lastUnits === unitStart &&
      (this.start[last] ?? 0) + lastLength === start &&
      isEven(unitLength, length) &&
      lastUnits * length === unitLength * lastLength;
    if (continues) {
      this.unitLength[last] = lastUnits + unitLength;
      this.length[last] = lastLength + length;
      return;
    }
    this.node.push(node);
    this.unitStart.push(unitStart);
    this.unitLength.push(unitLength);
    this.start.push(start);
    this.length.push(length);
  }

  build(): Pieces {
    return {
      count: this.node.length,
      node: Int32Array.from(this.node),
      unitStart: Int32Array.from(this.unitStart),
      unitLength: Int32Array.from(this.unitLength),
      start: Int32Array.from(this.start),
      length: Int32Array.from(this.length),
    };
  }
}

/** Whether each code point of a piece takes one unit, or each takes two. */
function isEven(unitLength: number, length: number): boolean {
  return unitLength === length || unitLength === 2 * length;
}

/** The code-point offset of a unit inside a piece; `up` rounds to the code point's end. */
export function unitToOffset(pieces: Pieces, piece: number, unit: number, up: boolean): number {
  const units = at(pieces.unitLength, piece);
  const length = at(pieces.length, piece);
  const start = at(pieces.start, piece);
  const into = unit - at(pieces.unitStart, piece);
  if (into <= 0) return start;
  if (into >= units) return start + length;
  if (units === length) return start + into;
  if (units === 2 * length) return start + (up ? Math.ceil(into / 2) : Math.floor(into / 2));
  return up ? start + length : start;
}

/** The unit of a code-point offset inside a piece; `up` chooses the end where it is in between. */
export function offsetToUnit(pieces: Pieces, piece: number, offset: number, up: boolean): number {
  const units = at(pieces.unitLength, piece);
  const length = at(pieces.length, piece);
  const start = at(pieces.unitStart, piece);
  const into = offset - at(pieces.start, piece);
  if (into <= 0) return start;
  if (into >= length) return start + units;
  if (isEven(units, length)) return start + (into * units) / length;
  return up ? start + units : start;
}

/** The end of a piece in the canonical text. */
export function pieceEnd(pieces: Pieces, piece: number): number {
  return at(pieces.start, piece) + at(pieces.length, piece);
}

/** The first index in [0, count) for which `test` holds, or count; `test` must be monotonic. */
export function firstIndex(count: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** An element of a typed array that is known to be there. */
export function at(values: Int32Array | Uint8Array, index: number): number {
  return values[index] ?? 0;
}
