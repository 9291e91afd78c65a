import { offsetUnder } from "../text/linesOf";
import styles from "./Book.module.css";
import type { BookOffsets } from "./bookOffsets";
import type { Chapter } from "./chapter";
import { ChapterHeights } from "./chapterHeights";

const NEXT_LINE = 400;
/** What a line of text is like until some is there: its height and its letters, in em. */
const LINE_HEIGHT = 1.75;
const LETTER_WIDTH = 0.46;
/** Other lines make chapters that much taller or smaller. */
const REFLOWED = 0.02;

export interface ChapterPlace {
  readonly index: number;
  /** How far down the chapter, from 0 to 1. */
  readonly share: number;
}

/** Chapters in their places, with room for those that are not there. */
export class ChapterColumn {
  readonly chapters = new Map<number, Chapter>();
  private readonly heights: ChapterHeights;
  private gaps: HTMLElement[] = [];
  private width: number;

  constructor(
    readonly root: HTMLElement,
    readonly offsets: BookOffsets,
  ) {
    this.width = root.clientWidth;
    const lengths = offsets.parts.map(({ length }) => length);
    this.heights = new ChapterHeights(lengths, this.guess());
    this.arrange();
  }

  inOrder(): Chapter[] {
    return [...this.chapters.values()].sort((a, b) => a.index - b.index);
  }

  /** The place at a height of the window, whether its chapter is there or not. */
  placeAt(y: number): ChapterPlace {
    let next = 0;
    let top = this.root.getBoundingClientRect().top;
    for (const { index, element } of this.inOrder()) {
      const box = element.getBoundingClientRect();
      if (y < box.top && index > next) {
        const found = this.heights.at(next, y - top);
        return found.index < index ? found : { index: index - 1, share: 1 };
      }
      if (y < box.bottom) return { index, share: Math.max(0, (y - box.top) / box.height) };
      next = index + 1;
      top = box.bottom;
    }
    const { count } = this.offsets;
    return next < count ? this.heights.at(next, y - top) : { index: count - 1, share: 1 };
  }

  /** The height of the window at which a place is, or is expected. */
  heightOf({ index, share }: ChapterPlace): number {
    const here = this.chapters.get(index);
    if (here) {
      const box = here.element.getBoundingClientRect();
      return box.top + share * box.height;
    }
    const before = this.inOrder().findLast((one) => one.index < index);
    const top = before
      ? before.element.getBoundingClientRect().bottom
      : this.root.getBoundingClientRect().top;
    const between = this.heights.between(before ? before.index + 1 : 0, index);
    return top + between + share * this.heights.height(index);
  }

  /** The box of the line of an offset; null where its chapter is not there. */
  lineOf(offset: number): DOMRect | null {
    return this.chapters.get(this.offsets.indexAt(offset))?.lineAt(offset) ?? null;
  }

  /** The offset of the first line below a height that is there. */
  lineBelow(y: number): number | null {
    for (const { element, map, start } of this.inOrder()) {
      const box = element.getBoundingClientRect();
      if (box.bottom <= y) continue;
      if (box.top > y + NEXT_LINE) return null;
      const offset = offsetUnder(map, element, y);
      if (offset !== null) return start + offset;
    }
    return null;
  }

  insert(chapter: Chapter): void {
    const { index, element } = chapter;
    const next = this.inOrder().find((one) => one.index > index);
    this.root.insertBefore(element, next?.element ?? null);
    this.chapters.set(index, chapter);
    this.arrange();
    this.heights.measure(index, element.getBoundingClientRect().height);
    this.arrange();
  }

  drop(chapters: readonly Chapter[]): void {
    for (const chapter of chapters) {
      this.chapters.delete(chapter.index);
      chapter.remove();
    }
    this.arrange();
  }

  /** Measures again after lines flowed otherwise; false when nothing is taller or smaller. */
  measure(): boolean {
    const { clientWidth } = this.root;
    // A column that is not shown has no width, and stays as it is.
    if (clientWidth === 0) return false;
    const sizes = this.inOrder().map(({ index, element }) => {
      const { height } = element.getBoundingClientRect();
      return { index, height, before: this.heights.height(index) };
    });
    const wider = clientWidth !== this.width;
    if (!wider && sizes.every(({ height, before }) => Math.abs(height - before) < 1)) return false;
    const flowed = sizes.every(({ height, before }) => Math.abs(height / before - 1) > REFLOWED);
    if (wider || flowed) this.heights.forget();
    this.width = clientWidth;
    for (const { index, height } of sizes) this.heights.measure(index, height);
    this.arrange();
    return true;
  }

  /** Room for the chapters that are not there. */
  private arrange(): void {
    const { root, offsets } = this;
    for (const gap of this.gaps) gap.remove();
    this.gaps = [];
    let next = 0;
    const fill = (to: number, before: HTMLElement | null) => {
      if (to <= next) return;
      const gap = document.createElement("div");
      gap.className = styles.gap ?? "";
      gap.style.height = `${this.heights.between(next, to)}px`;
      root.insertBefore(gap, before);
      this.gaps.push(gap);
    };
    for (const { index, element } of this.inOrder()) {
      fill(index, element);
      next = index + 1;
    }
    fill(offsets.count, null);
  }

  /** How tall a character is on average, by the size of the letters and the width of the column. */
  private guess(): number {
    const size = Number.parseFloat(getComputedStyle(this.root).fontSize) || 18;
    const letters = Math.max(1, this.root.clientWidth || 600) / (size * LETTER_WIDTH);
    return (size * LINE_HEIGHT) / letters;
  }
}
