/** Where the pages are: one below the other, each in its size. Pure; lengths are CSS pixels. */

/** In points, as the page is shown: turned pages are turned here. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** How large pages are: as wide as the column, as large as the window shows whole, or a factor. */
export type Zoom = "width" | "page" | number;

export interface Room {
  readonly width: number;
  readonly height: number;
}

export const GAP = 12;
export const MIN_ZOOM = 0.25;
export const MAX_ZOOM = 5;
/** Paper has 72 points to the inch and CSS has 96 pixels. */
const PIXELS_PER_POINT = 96 / 72;

/** Of a page. */
export interface PageRect {
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** CSS pixels to a point. */
  readonly scale: number;
}

export class PageLayout {
  private readonly sizes: (PageSize | undefined)[];
  private tops: Float64Array | null = null;

  /** The size of the first page stands for those that are not known yet. */
  constructor(
    readonly count: number,
    private readonly typical: PageSize,
    private room: Room,
    private chosen: Zoom,
  ) {
    this.sizes = new Array(count);
  }

  get zoom(): Zoom {
    return this.chosen;
  }

  set zoom(zoom: Zoom) {
    this.chosen = typeof zoom === "number" ? Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom)) : zoom;
    this.tops = null;
  }

  /** The chosen size as a factor: 1 is as large as on paper. */
  get factor(): number {
    return this.scaleFor(this.typical) / PIXELS_PER_POINT;
  }

  /** Returns whether that changed anything. */
  setRoom(room: Room): boolean {
    if (room.width === this.room.width && room.height === this.room.height) return false;
    this.room = room;
    this.tops = null;
    return true;
  }

  isKnown(index: number): boolean {
    return this.sizes[index] !== undefined;
  }

  /** Returns whether the page is not as large as it was taken to be. */
  setSize(index: number, size: PageSize): boolean {
    const before = this.sizeOf(index);
    this.sizes[index] = size;
    if (before.width === size.width && before.height === size.height) return false;
    this.tops = null;
    return true;
  }

  rect(index: number): PageRect {
    const size = this.sizeOf(index);
    const scale = this.scaleFor(size);
    const top = this.allTops()[index] ?? 0;
    return { top, width: size.width * scale, height: size.height * scale, scale };
  }

  /** The height of all pages, with the gaps between them. */
  get height(): number {
    return Math.max(0, (this.allTops()[this.count] ?? 0) - GAP);
  }

  /** The width of the widest page that is known. */
  get width(): number {
    let width = this.typical.width * this.scaleFor(this.typical);
    for (const size of this.sizes) {
      if (size) width = Math.max(width, size.width * this.scaleFor(size));
    }
    return width;
  }

  /** The page at a height, or the nearest; a gap belongs to the page above it. */
  pageAt(y: number): number {
    const tops = this.allTops();
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((tops[middle] ?? 0) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private sizeOf(index: number): PageSize {
    return this.sizes[index] ?? this.typical;
  }

  /** One scale for all; where pages are fitted, larger ones are made to fit as well. */
  private scaleFor(size: PageSize): number {
    if (typeof this.chosen === "number") return this.chosen * PIXELS_PER_POINT;
    return Math.min(this.fitted(this.typical), this.fitted(size));
  }

  private fitted({ width, height }: PageSize): number {
    const wide = this.room.width / width;
    return this.chosen === "page" ? Math.min(wide, this.room.height / height) : wide;
  }

  /** The tops of the pages, and after the last one where the next would be. */
  private allTops(): Float64Array {
    if (this.tops) return this.tops;
    const tops = new Float64Array(this.count + 1);
    let top = 0;
    for (let index = 0; index < this.count; index += 1) {
      tops[index] = top;
      const size = this.sizeOf(index);
      top += size.height * this.scaleFor(size) + GAP;
    }
    tops[this.count] = top;
    this.tops = tops;
    return tops;
  }
}
