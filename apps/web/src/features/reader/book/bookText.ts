import type { Fragment } from "../../../api/fragments";
import type { Outline } from "../../../api/media";
import { type Offsets, offsetsToRange, rangeToOffsets, touchesCode } from "../../../canonical";
import { targetOf } from "../links/insideLink";
import { HighlightLayer } from "../text/highlightLayer";
import { caretAt, offsetAt } from "../text/hitTest";
import { boxesOf } from "../text/lineBoxes";
import { OutlineContents } from "../text/outlineContents";
import type { Emphasis } from "../text/painter";
import type {
  Landing,
  ReadingText,
  SelectedPassage,
  TextCheck,
  TextPiece,
} from "../text/readingText";
import type { Span, TextSegment } from "../text/segments";
import { BookNotes } from "./bookNotes";
import type { BookOffsets } from "./bookOffsets";
import { BookPieces } from "./bookPieces";
import { Chapter } from "./chapter";
import { ChapterStack } from "./chapterStack";

const ONE_LINE = 80;
/** Where a chapter begins when one goes to it: just under the bar. */
const CHAPTER_LINE = 80;

export interface BookOptions {
  root: HTMLElement;
  outline: Outline;
  offsets: BookOffsets;
  language: string | null;
  /** Gets a chapter and keeps it for a while. */
  load: (fragmentId: string) => Promise<Fragment>;
  /** Gets a chapter that is only searched. */
  search: (fragmentId: string, signal: AbortSignal) => Promise<Fragment>;
  cached: (fragmentId: string) => Fragment | undefined;
  onError: (error: unknown) => void;
}

/** The text of a book: chapter after chapter, of which only those near the window are there. */
export class BookText implements ReadingText {
  readonly root: HTMLElement;
  readonly contents: OutlineContents;
  readonly notes: BookNotes;
  readonly start: number | null;
  readonly offsets: BookOffsets;
  readonly stack: ChapterStack;
  check: TextCheck = { usable: true, differs: false };
  private readonly layer: HighlightLayer;
  private readonly searched: BookPieces;
  private readonly listeners = new Set<() => void>();
  private frame = 0;
  /** Counts what the person asked for: of two places, the one they asked for last. */
  private asked = 0;

  constructor(private readonly options: BookOptions) {
    const { root, outline, offsets, onError } = options;
    this.root = root;
    this.offsets = offsets;
    this.layer = new HighlightLayer((passage) => this.rangeOf(passage));
    this.contents = new OutlineContents(outline, this, (entry) => this.offsetIn(entry));
    this.start = outline.start && this.offsetIn(outline.start);
    const load = (index: number) => options.load(this.idOf(index));
    this.stack = new ChapterStack({
      ...{ root, offsets, load, onError },
      cached: (index) => options.cached(this.idOf(index)),
      make: (index, fragment) => this.make(index, fragment),
      onChange: () => this.changed(),
    });
    this.notes = new BookNotes({ offsets, load, chapters: () => this.chapters() });
    this.searched = new BookPieces({
      offsets,
      shown: (index) => this.stack.column.chapters.get(index)?.piece ?? null,
      fetch: (index, signal) => options.search(this.idOf(index), signal),
    });
  }

  pieceAt(offset: number): TextPiece | null {
    return this.searched.get(this.offsets.indexAt(offset));
  }

  pieces(from: number, signal: AbortSignal): AsyncIterable<TextPiece> {
    return this.searched.from(from, signal);
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A passage is in one chapter: what is selected beyond its end is left out. */
  selected(range: Range): SelectedPassage | null {
    for (const { element, map, start, usable } of this.chapters()) {
      if (!range.intersectsNode(element)) continue;
      const found = rangeToOffsets(map, range);
      if (!found) continue;
      const passage = { start: start + found.start, end: start + found.end };
      return usable ? { passage, code: touchesCode(map, range) } : null;
    }
    return null;
  }

  rangeOf(passage: Offsets): Range | null {
    const chapter = this.stack.column.chapters.get(this.offsets.indexAt(passage.start));
    if (!chapter?.usable) return null;
    const { map, start } = chapter;
    return offsetsToRange(map, { start: passage.start - start, end: passage.end - start });
  }

  setHighlights(spans: readonly Span[]): void {
    this.layer.set(spans);
    this.draw();
  }

  emphasize(emphasis: Emphasis, passages: readonly Offsets[]): void {
    this.layer.emphasize(emphasis, passages);
  }

  idsAt(x: number, y: number): readonly string[] {
    const node = caretAt(x, y)?.node ?? null;
    const here = this.chapters().find(({ element }) => element.contains(node));
    const offset = here?.usable ? offsetAt(here.map, x, y) : null;
    return this.layer.idsAt(offset !== null && here ? here.start + offset : null);
  }

  stackOn(id: string): TextSegment | null {
    return this.layer.stackOn(id);
  }

  firstLine({ start }: Offsets): DOMRect | null {
    const { column } = this.stack;
    const line = column.lineOf(start);
    if (line) return line;
    const { left, width } = this.root.getBoundingClientRect();
    return new DOMRect(left, column.heightOf(this.placeOf(start)), width, 20);
  }

  lines(passage: Offsets): DOMRect[] {
    return boxesOf(this.rangeOf(passage));
  }

  offsetBelow(y: number): number | null {
    // Until the chapter is there that one goes to, every other place would be wrong.
    if (this.stack.awaited !== null) return this.stack.awaited;
    const line = this.stack.column.lineBelow(y);
    if (line !== null) return line;
    const { index, share } = this.stack.column.placeAt(y);
    return this.offsets.start(index) + Math.floor(share * this.offsets.lengthOf(index));
  }

  scrollTo(offset: number, top: number, behavior: ScrollBehavior = "instant"): void {
    this.asked += 1;
    this.stack.scrollTo(offset, top, behavior);
  }

  /** Once its chapter is here, so that the jump arrives exactly. */
  targetOf(link: HTMLAnchorElement): Promise<number | null> {
    const target = targetOf(link);
    const offset = target && this.offsets.offsetOfLink(target);
    return this.ready(offset ?? null);
  }

  /** The offset again, once its chapter is here or cannot be had; null if another is gone to. */
  async ready(offset: number | null): Promise<number | null> {
    if (offset === null) return null;
    this.asked += 1;
    const { asked } = this;
    const index = this.offsets.indexAt(offset);
    if (!this.stack.column.chapters.has(index)) {
      await this.options.load(this.idOf(index)).catch(() => undefined);
    }
    return asked === this.asked ? offset : null;
  }

  landingAt(offset: number): Landing {
    const index = this.offsets.indexAt(offset);
    const listed = this.contents.at(offset)?.offset === offset;
    const begins = listed || offset === this.offsets.start(index);
    const top = begins ? { top: CHAPTER_LINE } : {};
    const chapter = this.stack.bring(index);
    if (chapter) return { ...chapter.landingAt(offset), ...top };
    const end = Math.min(
      offset + ONE_LINE,
      this.offsets.start(index) + this.offsets.lengthOf(index),
    );
    const passage = { start: offset, end: Math.max(offset + 1, end) };
    return { passage, element: this.root, ...top };
  }

  /** The links from the chapter of an offset down to the end of the window. */
  linksNear(offset: number): HTMLAnchorElement[] {
    const links: HTMLAnchorElement[] = [];
    for (let index = this.offsets.indexAt(offset); ; index += 1) {
      const element = this.stack.bring(index)?.element;
      if (!element || element.getBoundingClientRect().top > window.innerHeight) return links;
      links.push(...element.querySelectorAll("a"));
    }
  }

  progress(): number {
    if (this.root.getBoundingClientRect().bottom <= window.innerHeight) return 1;
    const { index, share } = this.stack.column.placeAt(CHAPTER_LINE);
    const read = this.offsets.start(index) + share * this.offsets.lengthOf(index);
    return read / Math.max(1, this.offsets.length);
  }

  /** What the part of the book is called that an offset is in; null where it has no name. */
  chapterAt(offset: number): string | null {
    const entry = this.contents.at(offset);
    return entry?.text ?? this.offsets.parts[this.offsets.indexAt(offset)]?.label ?? null;
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.stack.close();
    this.searched.forget();
    this.layer.destroy();
    this.listeners.clear();
  }

  private chapters(): readonly Chapter[] {
    return this.stack.column.inOrder();
  }

  private idOf(index: number): string {
    return this.offsets.parts[index]?.id ?? "";
  }

  private offsetIn({ fragment_id: fragmentId, offset }: { fragment_id: string; offset: number }) {
    return this.offsets.offsetOf({ fragmentId, offset });
  }

  private placeOf(offset: number) {
    const index = this.offsets.indexAt(offset);
    const inside = offset - this.offsets.start(index);
    return { index, share: inside / Math.max(1, this.offsets.lengthOf(index)) };
  }

  private make(index: number, fragment: Fragment): Chapter {
    const start = this.offsets.start(index);
    const label = this.chapterAt(start) ?? `Part ${index + 1} of ${this.offsets.count}`;
    const joins = { before: this.continues(index), after: this.continues(index + 1) };
    const { language } = this.options;
    return new Chapter(fragment, { index, start, language, label, joins });
  }

  /** Whether a fragment goes on with what the one before began; the first has nothing to leave. */
  private continues(index: number): boolean {
    if (index === 0) return true;
    const part = this.offsets.parts[index];
    if (!part || part.label !== null || this.contents.entries.length === 0) return false;
    const start = this.offsets.start(index);
    const entry = this.contents.at(start + part.length);
    return !entry || entry.offset < start;
  }

  private draw(): void {
    const there = this.chapters().filter(({ usable, start, end }) => usable && end > start);
    this.layer.draw(there.map(({ start, end }) => ({ start, end })));
    this.layer.emphasizeAgain();
  }

  /** Draws at once, so that nothing stays on lines that left, and tells once in a frame. */
  private changed(): void {
    const differs = this.check.differs || this.chapters().some(({ usable }) => !usable);
    if (differs !== this.check.differs) this.check = { usable: true, differs };
    this.draw();
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      for (const listener of this.listeners) listener();
    });
  }
}
