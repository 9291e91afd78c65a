import type { Fragment } from "../../../api/fragments";
import { isHeld } from "../text/held";
import type { BookOffsets } from "./bookOffsets";
import type { Chapter } from "./chapter";
import { ChapterColumn, type ChapterPlace } from "./chapterColumn";

/** How many windows above and below chapters are brought, and how many they are kept. */
const NEAR = { above: 1, below: 2 };
const KEPT = { above: 3, below: 4 };
const MAX_LOADING = 4;
/** The line people read from: just under the bar. */
const READING_LINE = 72;

export interface StackOptions {
  root: HTMLElement;
  offsets: BookOffsets;
  /** The text of a chapter, if it is here already. */
  cached: (index: number) => Fragment | undefined;
  load: (index: number) => Promise<Fragment>;
  make: (index: number, fragment: Fragment) => Chapter;
  /** Chapters came, went or moved. What they left must not stay drawn. */
  onChange: () => void;
  onError: (error: unknown) => void;
}

/** The chapters of a book in one scroll: only those near the window are there. */
export class ChapterStack {
  readonly column: ChapterColumn;
  private readonly loading = new Set<number>();
  private readonly observer: ResizeObserver;
  private readonly listening = new AbortController();
  private frame = 0;
  private anchor: Anchor | null = null;
  /** Where to be once the chapter is there, unless the person moves first. */
  private goal: { offset: number; top: number; scrolled: number } | null = null;

  constructor(private readonly options: StackOptions) {
    const { root, offsets } = options;
    this.column = new ChapterColumn(root, offsets);
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(root);
    const { signal } = this.listening;
    window.addEventListener("scroll", () => this.updateSoon(), { passive: true, signal });
    window.addEventListener("resize", () => this.updateSoon(), { signal });
    this.updateSoon();
  }

  /** Where the person is on their way to. */
  get awaited(): number | null {
    return this.goal?.offset ?? null;
  }

  /** Puts the line of an offset at a height of the window, now and when its chapter has come. */
  scrollTo(offset: number, top: number, behavior: ScrollBehavior): void {
    const { offsets } = this.options;
    const index = offsets.indexAt(offset);
    this.bring(index);
    const line = this.column.lineOf(offset);
    const share = (offset - offsets.start(index)) / Math.max(1, offsets.lengthOf(index));
    const there = (line?.top ?? this.column.heightOf({ index, share })) - top;
    const by = { top: there, behavior: line ? behavior : "instant" } as const;
    if (Math.abs(there) >= 1) window.scrollBy(by);
    this.goal = line ? null : { offset, top, scrolled: window.scrollY };
    this.anchor = null;
    if (!line) this.fetch(index);
    this.updateSoon();
  }

  /** Puts a chapter on the page at once, if its text is here. */
  bring(index: number): Chapter | null {
    const there = this.column.chapters.get(index);
    const fragment = there ? undefined : this.options.cached(index);
    if (fragment) this.add(index, fragment);
    return this.column.chapters.get(index) ?? null;
  }

  /** Looks again at what is missing, after it could not be had. */
  retry(): void {
    this.updateSoon();
  }

  close(): void {
    this.listening.abort();
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
    this.column.drop(this.column.inOrder());
    this.options.root.replaceChildren();
  }

  private updateSoon(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.update());
  }

  private update(): void {
    if (!this.isStill()) this.goal = null;
    // Before the new lines are taken for what was on the screen.
    this.resized();
    this.anchor = this.takeAnchor();
    const kept = this.around(KEPT);
    const far = this.column
      .inOrder()
      .filter(
        ({ index, element }) => (index < kept.first || index > kept.last) && !isHeld(element),
      );
    if (far.length > 0) this.drop(far);
    const { first, last } = this.around(NEAR);
    const { index: here } = this.column.placeAt(window.innerHeight / 2);
    const missing: number[] = [];
    for (let index = first; index <= last; index += 1) {
      if (!this.column.chapters.has(index)) missing.push(index);
    }
    missing.sort((a, b) => Math.abs(a - here) - Math.abs(b - here));
    for (const index of missing) this.fetch(index);
  }

  /** The chapters up to so many windows around. */
  private around({ above, below }: typeof NEAR): { first: number; last: number } {
    const height = window.innerHeight;
    const first = this.column.placeAt(-above * height).index;
    return { first, last: this.column.placeAt((1 + below) * height).index };
  }

  private fetch(index: number): void {
    if (this.bring(index) || this.loading.has(index)) return;
    const urgent = this.goal && this.options.offsets.indexAt(this.goal.offset) === index;
    if (this.loading.size >= MAX_LOADING && !urgent) return;
    this.loading.add(index);
    const came = (fragment: Fragment) => {
      this.loading.delete(index);
      if (this.listening.signal.aborted) return;
      const { first, last } = this.around(KEPT);
      if (this.isAwaited(index) || (index >= first && index <= last)) this.add(index, fragment);
      this.updateSoon();
    };
    this.options.load(index).then(came, (error) => {
      this.loading.delete(index);
      if (!this.listening.signal.aborted) this.options.onError(error);
    });
  }

  private isAwaited(index: number): boolean {
    return this.goal !== null && this.options.offsets.indexAt(this.goal.offset) === index;
  }

  private add(index: number, fragment: Fragment): void {
    if (this.column.chapters.has(index)) return;
    const chapter = this.options.make(index, fragment);
    const { goal } = this;
    this.keepPlace(() => this.column.insert(chapter));
    this.observer.observe(chapter.element);
    this.options.onChange();
    if (!goal || this.options.offsets.indexAt(goal.offset) !== index) return;
    this.goal = null;
    // Somebody who has scrolled since is not moved.
    if (Math.abs(window.scrollY - goal.scrolled) <= 2)
      this.scrollTo(goal.offset, goal.top, "instant");
  }

  private drop(chapters: readonly Chapter[]): void {
    for (const { element } of chapters) this.observer.unobserve(element);
    this.keepPlace(() => this.column.drop(chapters));
    this.options.onChange();
  }

  /** Lines flow otherwise, or something in a chapter opened or closed. */
  private resized(): void {
    const still = this.isStill();
    const since = this.anchor ? window.scrollY - this.anchor.scrolled : 0;
    if (!this.column.measure()) return;
    this.restore(this.anchor, since);
    if (still && this.goal) this.goal.scrolled = window.scrollY;
    this.anchor = this.takeAnchor();
    this.options.onChange();
    this.updateSoon();
  }

  /** Changes what is on the page while the line one reads stays where it is. */
  private keepPlace(change: () => void): void {
    const anchor = this.takeAnchor();
    const still = this.isStill();
    change();
    this.restore(anchor, 0);
    if (still && this.goal) this.goal.scrolled = window.scrollY;
    this.anchor = this.takeAnchor();
  }

  /** Whether the person waits for what they have gone to, and has not scrolled since. */
  private isStill(): boolean {
    return this.goal !== null && Math.abs(window.scrollY - this.goal.scrolled) <= 2;
  }

  private takeAnchor(): Anchor | null {
    const y = READING_LINE;
    if (this.options.root.getBoundingClientRect().top > y) return null;
    const offset = this.column.lineBelow(y);
    const top = (offset !== null && this.column.lineOf(offset)?.top) || null;
    return { y, place: this.column.placeAt(y), offset, top, scrolled: window.scrollY };
  }

  /**
   * Puts a line back to its height, less what the person has scrolled since. That is known only
   * before something changes: a book that turns out to be shorter moves the window too.
   */
  private restore(anchor: Anchor | null, since: number): void {
    if (!anchor) return;
    const line =
      anchor.offset !== null && anchor.top !== null ? this.column.lineOf(anchor.offset) : null;
    const moved =
      line && anchor.top !== null
        ? line.top - (anchor.top - since)
        : this.column.heightOf(anchor.place) - (anchor.y - since);
    if (Math.abs(moved) >= 1) window.scrollBy({ top: moved, behavior: "instant" });
  }
}

/** What must not move: a line and its height, or a place where no line is. */
interface Anchor {
  readonly y: number;
  readonly place: ChapterPlace;
  readonly offset: number | null;
  readonly top: number | null;
  readonly scrolled: number;
}
