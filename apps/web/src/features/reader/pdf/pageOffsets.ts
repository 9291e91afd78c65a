/** Code points of the canonical text, by page. */

/** A place in pages that have no text counts thousandths of a page. */
const UNITS = 1_000;

export interface PagePlace {
  /** Index of the page. */
  readonly page: number;
  /** How far down its text, from 0 to 1. */
  readonly share: number;
}

/** Where the pages begin in the text; or, where there is no text, numbers that serve as places. */
export class PageOffsets {
  private readonly starts: Float64Array;
  readonly hasText: boolean;

  /** `length` is that of the whole text. */
  constructor(starts: readonly number[] | null, count: number, length: number) {
    this.hasText = starts !== null;
    this.starts = Float64Array.from({ length: count + 1 }, (_, index) => {
      if (!starts) return index * UNITS;
      return index < count ? (starts[index] ?? length) : length;
    });
  }

  start(page: number): number {
    return this.starts[page] ?? 0;
  }

  /** What lies between the beginning of a page and that of the next. */
  room(page: number): number {
    return this.start(page + 1) - this.start(page);
  }

  /** The page an offset is on. Of pages that begin at the same place, only the last has text. */
  pageOf(offset: number): number {
    let low = 0;
    let high = this.starts.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.start(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  /** About where an offset is. */
  placeOf(offset: number): PagePlace {
    const page = this.pageOf(offset);
    const share = this.room(page) > 0 ? (offset - this.start(page)) / this.room(page) : 0;
    return { page, share: Math.min(1, Math.max(0, share)) };
  }

  /** About which offset is at a place. */
  offsetAt({ page, share }: PagePlace): number {
    const room = Math.max(0, this.room(page) - 1);
    return this.start(page) + Math.min(room, Math.floor(share * this.room(page)));
  }

  /** Whether the text of a page is what the whole text has in its place. */
  matches(page: number, text: string, length: number, whole: { slice: Slice; length: number }) {
    if (length === 0) return true;
    const start = this.start(page);
    const next = this.start(page + 1);
    // One separator between two pages with text, and none after the last.
    if (start + length !== (next < whole.length ? next - 1 : whole.length)) return false;
    return whole.slice(start, start + length).replaceAll("\n", " ") === text;
  }
}

type Slice = (start: number, end: number) => string;
