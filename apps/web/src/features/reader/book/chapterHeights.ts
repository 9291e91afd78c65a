/** What a chapter takes beside its lines: the space around it and its heading. */
const BESIDE_LINES = 96;
/** A chapter of less text says little about how tall text is. */
const TELLING = 400;

/**
 * How tall chapters are: as they were when they were on the page, and until then as tall as their
 * text would be in the lines that are known.
 */
export class ChapterHeights {
  private readonly known = new Map<number, number>();
  private rate: number;
  private sums: Float64Array | null = null;

  /** `rate` is how tall a character is on average, until chapters tell. */
  constructor(
    private readonly lengths: readonly number[],
    rate: number,
  ) {
    this.rate = rate;
  }

  height(index: number): number {
    return this.known.get(index) ?? BESIDE_LINES + (this.lengths[index] ?? 0) * this.rate;
  }

  /** The height of the chapters [from, to). */
  between(from: number, to: number): number {
    const sums = this.sums ?? this.sum();
    return (sums[to] ?? 0) - (sums[from] ?? 0);
  }

  /** The chapter at a height below the top of another one, and how far down it that is. */
  at(from: number, down: number): { index: number; share: number } {
    const sums = this.sums ?? this.sum();
    const goal = (sums[from] ?? 0) + Math.max(0, down);
    let low = from;
    let high = this.lengths.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((sums[middle] ?? 0) <= goal) low = middle;
      else high = middle - 1;
    }
    const share = (goal - (sums[low] ?? 0)) / Math.max(1, this.height(low));
    return { index: low, share: Math.min(1, share) };
  }

  measure(index: number, height: number): void {
    if (this.known.get(index) === height) return;
    this.known.set(index, height);
    this.learn();
  }

  /** The lines are others now: what was measured holds no longer. */
  forget(): void {
    this.known.clear();
    this.sums = null;
  }

  private learn(): void {
    let [heights, characters] = [0, 0];
    for (const [index, height] of this.known) {
      const length = this.lengths[index] ?? 0;
      if (length < TELLING) continue;
      heights += Math.max(0, height - BESIDE_LINES);
      characters += length;
    }
    if (characters > 0) this.rate = heights / characters;
    this.sums = null;
  }

  private sum(): Float64Array {
    const sums = new Float64Array(this.lengths.length + 1);
    for (let index = 0; index < this.lengths.length; index += 1) {
      sums[index + 1] = (sums[index] ?? 0) + this.height(index);
    }
    this.sums = sums;
    return sums;
  }
}
