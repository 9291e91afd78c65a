import type { Outline } from "../../../api/media";
import type { InsideTarget } from "../links/insideLink";
import type { FragmentPlace, TextSpace } from "../text/textSpace";

type Part = Outline["fragments"][number];

/**
 * The text of a book as one: its fragments one after the other, each one character away from the
 * next. It is known from the outline alone, before any of the text is here.
 */
export class BookOffsets implements TextSpace {
  readonly only = null;
  readonly length: number;
  private readonly starts: readonly number[];
  private readonly indexes: ReadonlyMap<string, number>;
  private readonly numbers: ReadonlyMap<number, number>;

  constructor(readonly parts: readonly Part[]) {
    let start = 0;
    this.starts = parts.map(({ length }) => {
      const here = start;
      start += length + 1;
      return here;
    });
    this.length = Math.max(0, start - 1);
    this.indexes = new Map(parts.map(({ id }, index) => [id, index]));
    this.numbers = new Map(parts.map(({ idx }, index) => [idx, index]));
  }

  get count(): number {
    return this.parts.length;
  }

  start(index: number): number {
    return this.starts[index] ?? this.length;
  }

  lengthOf(index: number): number {
    return this.parts[index]?.length ?? 0;
  }

  /** The chapter that an offset is in, or at whose end it is. */
  indexAt(offset: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.start(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  indexOf(fragmentId: string): number | null {
    return this.indexes.get(fragmentId) ?? null;
  }

  placeOf(offset: number): FragmentPlace | null {
    const index = this.indexAt(offset);
    const part = this.parts[index];
    if (!part) return null;
    const inside = Math.min(Math.max(0, offset - this.start(index)), part.length);
    return { fragmentId: part.id, offset: inside };
  }

  offsetOf({ fragmentId, offset }: FragmentPlace): number | null {
    const index = this.indexes.get(fragmentId);
    return index === undefined ? null : this.within(index, offset);
  }

  offsetOfLink({ fragment, offset }: InsideTarget): number | null {
    const index = this.numbers.get(fragment);
    return index === undefined ? null : this.within(index, offset);
  }

  private within(index: number, offset: number): number {
    return this.start(index) + Math.min(Math.max(0, offset), this.lengthOf(index));
  }
}
