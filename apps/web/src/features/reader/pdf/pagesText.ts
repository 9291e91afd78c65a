import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Outline } from "../../../api/media";
import { CodePointIndex, type Offsets } from "../../../canonical";
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
import { DestinationFinder } from "./destinations";
import { drawnRange, lineBelow, lineOf, passageIn, selectedIn } from "./drawnPages";
import type { PageBox } from "./pageBox";
import type { Zoom } from "./pageLayout";
import { PageOffsets } from "./pageOffsets";
import { PageStack } from "./pageStack";

const ONE_LINE = 80;
/** Where a page begins when one goes to it: just under the bar. */
const PAGE_LINE = 64;
const UNCHECKED: TextCheck = { usable: false, differs: false };

export interface PagesOptions {
  root: HTMLElement;
  document: PDFDocumentProxy;
  first: PDFPageProxy;
  outline: Outline | null;
  zoom: Zoom;
}

/** The text of a PDF on its pages, of which only some are drawn. */
export class PagesText implements ReadingText {
  readonly root: HTMLElement;
  readonly contents: OutlineContents;
  readonly notes = null;
  readonly stack: PageStack;
  readonly labels: readonly string[];
  check: TextCheck = UNCHECKED;
  private readonly layer: HighlightLayer;
  private readonly destinations: DestinationFinder;
  private readonly listeners = new Set<() => void>();
  private offsets: PageOffsets;
  private whole: { text: string; codePoints: CodePointIndex } | null = null;
  /** Where to be once the lines there are known, unless the person moves first. */
  private goal: { offset: number; top: number; scrolled: number } | null = null;
  /** Counts what the person asked for: of two places, the one they asked for last. */
  private asked = 0;
  private telling = false;
  private destroyed = false;

  constructor(options: PagesOptions) {
    const { root, document: pdf, outline } = options;
    this.root = root;
    this.offsets = offsetsOf(outline, pdf.numPages);
    this.labels = Array.from({ length: pdf.numPages }, (_, index) => labelOf(outline, index));
    this.layer = new HighlightLayer((passage) => this.rangeOf(passage));
    this.contents = new OutlineContents(outline, this);
    this.destinations = new DestinationFinder(pdf);
    this.stack = new PageStack({
      ...options,
      labelOf: (index) => `Page ${this.labels[index]} of ${pdf.numPages}`,
      onLink: (link, target) => {
        this.destinations.set(link, target);
        link.href = "#";
      },
      onChange: () => this.changed(),
      onText: (box) => this.textCame(box),
    });
  }

  /** Resolves once there is something to see. */
  pictured(): Promise<void> {
    return Promise.race(this.stack.inOrder().map((box) => box.pictured));
  }

  pieceAt(): TextPiece {
    return { ...(this.whole ?? EMPTY), start: 0 };
  }

  async *pieces(): AsyncGenerator<TextPiece> {
    yield this.pieceAt();
  }

  /** The text as the server has it. Until it comes nothing can be drawn or made. */
  setCanonical(text: string): void {
    this.whole = { text, codePoints: new CodePointIndex(text) };
    this.changed();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  selected(range: Range): SelectedPassage | null {
    const passage = this.check.usable ? selectedIn(this.drawn(), range) : null;
    return passage && { passage, code: false };
  }

  rangeOf(passage: Offsets): Range | null {
    return drawnRange(this.drawn(), passage);
  }

  setHighlights(spans: readonly Span[]): void {
    this.layer.set(spans);
    this.draw();
  }

  emphasize(emphasis: Emphasis, passages: readonly Offsets[]): void {
    this.layer.emphasize(emphasis, passages);
  }

  idsAt(x: number, y: number): readonly string[] {
    const node = caretAt(x, y)?.node;
    const here = this.drawn().find(({ box }) => node && box.element.contains(node));
    const offset = here?.map && offsetAt(here.map, x, y);
    return this.layer.idsAt(typeof offset === "number" && here ? here.start + offset : null);
  }

  stackOn(id: string): TextSegment | null {
    return this.layer.stackOn(id);
  }

  firstLine({ start }: Offsets): DOMRect | null {
    return lineOf(this.drawn(), start) ?? this.expectedLine(start);
  }

  lines(passage: Offsets): DOMRect[] {
    return boxesOf(this.rangeOf(passage));
  }

  offsetBelow(y: number): number | null {
    const down = this.stack.toPages(y);
    const page = this.stack.layout.pageAt(down);
    for (const { box, map, start } of this.drawn()) {
      if (box.index < page || !map) continue;
      const offset = lineBelow(map, y);
      if (offset !== null) return start + offset;
    }
    const { top, height } = this.stack.layout.rect(page);
    return this.offsets.offsetAt({ page, share: Math.min(1, (down - top) / height) });
  }

  scrollTo(offset: number, top: number, behavior: ScrollBehavior = "instant"): void {
    this.asked += 1;
    this.goTo(offset, top, behavior);
  }

  private goTo(offset: number, top: number, behavior: ScrollBehavior = "instant"): void {
    const line = lineOf(this.drawn(), offset);
    const box = line ?? this.expectedLine(offset);
    window.scrollTo({
      top: box.top + window.scrollY - top,
      behavior: line ? behavior : "instant",
    });
    this.goal = line ? null : { offset, top, scrolled: window.scrollY };
  }

  /** What a link leads to may have to be loaded first; null if another place is gone to meanwhile. */
  async targetOf(link: HTMLAnchorElement): Promise<number | null> {
    this.asked += 1;
    const { asked } = this;
    const offset = await this.destinations.offsetOf(link, this.offsets);
    return asked === this.asked ? offset : null;
  }

  landingAt(offset: number): Landing {
    const page = this.offsets.pageOf(offset);
    const end = Math.min(offset + ONE_LINE, this.offsets.start(page + 1));
    const passage = { start: offset, end: Math.max(offset + 1, end) };
    return { passage, element: this.stack.boxes.get(page)?.element ?? this.root };
  }

  /** The index of the page that is read. */
  get page(): number {
    return this.stack.layout.pageAt(this.stack.toPages(window.innerHeight / 3));
  }

  goToPage(index: number): void {
    const page = Math.min(Math.max(index, 0), this.labels.length - 1);
    this.goal = null;
    this.asked += 1;
    const top = this.stack.layout.rect(page).top - this.stack.toPages(0) - PAGE_LINE;
    window.scrollBy({ top, behavior: "instant" });
  }

  setZoom(zoom: Zoom, at?: { x: number; y: number }): void {
    this.stack.setZoom(zoom, at);
  }

  destroy(): void {
    this.destroyed = true;
    this.stack.close();
    this.layer.destroy();
    this.listeners.clear();
  }

  /** The pages that have their text, in order, with where it begins in the whole text. */
  private drawn() {
    return this.stack.inOrder().flatMap((box) => {
      if (!box.drawn) return [];
      const start = this.offsets.start(box.index);
      return [{ box, start, map: this.differs(box) ? null : box.drawn.map }];
    });
  }

  /** Whether a page is known not to have the server's text. */
  private differs({ index, drawn }: PageBox): boolean {
    if (!drawn || !this.offsets.hasText || drawn.text === "") return false;
    if (!drawn.map) return true;
    if (!this.whole) return false;
    const { codePoints } = this.whole;
    const slice = (start: number, end: number) => codePoints.slice(start, end);
    const { length } = codePoints;
    return !this.offsets.matches(index, drawn.text, drawn.map.codePoints.length, { slice, length });
  }

  private textCame(box: PageBox): void {
    const { goal } = this;
    if (goal && this.offsets.pageOf(goal.offset) === box.index) {
      this.goal = null;
      // Somebody who has scrolled since is not moved.
      if (Math.abs(window.scrollY - goal.scrolled) < 2) this.goTo(goal.offset, goal.top);
    }
    this.changed();
  }

  /** About where a line is that is not drawn. */
  private expectedLine(offset: number): DOMRect {
    const { page, share } = this.offsets.placeOf(offset);
    const { top, width, height } = this.stack.layout.rect(page);
    const box = this.root.getBoundingClientRect();
    return new DOMRect(box.left, box.top + top + share * height, width, 20);
  }

  private draw(): void {
    const pages = this.check.usable ? this.drawn().flatMap((page) => passageIn(page)) : [];
    this.layer.draw(pages);
    this.layer.emphasizeAgain();
  }

  /** Draws again and tells, once for all that changes together. */
  private changed(): void {
    if (this.telling) return;
    this.telling = true;
    queueMicrotask(() => {
      this.telling = false;
      if (!this.destroyed) this.tell();
    });
  }

  private tell(): void {
    const usable = this.whole !== null && this.offsets.hasText;
    const differs = usable && this.stack.inOrder().some((box) => this.differs(box));
    if (usable !== this.check.usable || differs !== this.check.differs) {
      this.check = { usable, differs };
    }
    this.draw();
    for (const listener of this.listeners) listener();
  }
}

const EMPTY = { text: "", codePoints: new CodePointIndex("") };

function offsetsOf(outline: Outline | null, count: number): PageOffsets {
  const [fragment] = outline?.fragments ?? [];
  // Pages that the server counts otherwise are not those of this file.
  const known = fragment && outline?.pages.length === count ? outline.pages : null;
  const starts = known?.map(({ offset }) => offset) ?? null;
  return new PageOffsets(starts, count, fragment?.length ?? 0);
}

function labelOf(outline: Outline | null, index: number): string {
  return outline?.pages[index]?.label || String(index + 1);
}
