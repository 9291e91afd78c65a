/**
 * The only place that knows JavaScript strings are UTF-16. Offsets that are stored or sent count
 * code points; offsets into a DOM text node count UTF-16 units.
 */

const SURROGATE = /[\ud800-\udfff]/;

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** How many UTF-16 units the code point at `index` takes: 1 or 2. */
export function unitsAt(text: string, index: number): 1 | 2 {
  const isPair =
    isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1));
  return isPair ? 2 : 1;
}

/** The number of code points in a string. */
export function codePointLength(text: string): number {
  return new CodePointIndex(text).length;
}

/**
 * Both counts for one string. It remembers where the pairs are, so that a lookup in a long text
 * costs a binary search and one without pairs costs nothing.
 */
export class CodePointIndex {
  /** Number of code points. */
  readonly length: number;
  /** Code-point offsets of the characters that take two units, ascending. */
  private readonly pairs: readonly number[];

  constructor(private readonly text: string) {
    this.pairs = SURROGATE.test(text) ? findPairs(text) : [];
    this.length = text.length - this.pairs.length;
  }

  /** The UTF-16 index of a code-point offset. */
  toUnit(offset: number): number {
    const within = Math.min(Math.max(offset, 0), this.length);
    return within + countBelow(this.pairs.length, (i) => (this.pairs[i] ?? 0) < within);
  }

  /** The code-point offset of a UTF-16 index; one inside a pair counts as the start of the pair. */
  toOffset(unit: number): number {
    const within = Math.min(Math.max(unit, 0), this.text.length);
    // The i-th pair begins at its offset plus one for each pair before it.
    return within - countBelow(this.pairs.length, (i) => (this.pairs[i] ?? 0) + i < within);
  }

  /** `text.slice`, with code-point offsets. */
  slice(start: number, end: number): string {
    return this.text.slice(this.toUnit(start), this.toUnit(end));
  }
}

function findPairs(text: string): number[] {
  const pairs: number[] = [];
  for (let unit = 0; unit < text.length; unit += 1) {
    if (unitsAt(text, unit) === 2) {
      pairs.push(unit - pairs.length);
      unit += 1;
    }
  }
  return pairs;
}

/** How many of the first `count` indexes pass a test that, once failed, stays failed. */
function countBelow(count: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
