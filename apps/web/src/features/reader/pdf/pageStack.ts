import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { isHeld } from "../text/held";
import { canvasBudget, planOf } from "./drawPlan";
import { PageBox } from "./pageBox";
import { PageLayout, type PageSize, type Zoom } from "./pageLayout";
import type { LinkTarget } from "./pageLinks";
import type { PagePlace } from "./pageOffsets";

const MAX_DRAWING = 3;
/** A size that is still being changed is drawn when that ends. */
const SETTLED_MS = 150;
/** The bar at the top of the window covers this much. */
export const BAR_HEIGHT = 56;

export interface StackOptions {
  root: HTMLElement;
  document: PDFDocumentProxy;
  first: PDFPageProxy;
  zoom: Zoom;
  labelOf: (index: number) => string;
  onLink: (link: HTMLAnchorElement, target: LinkTarget) => void;
  /** Pages came, went or moved. */
  onChange: () => void;
  /** The text of a page is there. */
  onText: (box: PageBox) => void;
}

/** The pages in their places; only those near the window are there. */
export class PageStack {
  readonly boxes = new Map<number, PageBox>();
  readonly layout: PageLayout;
  private readonly pages = new Map<number, PDFPageProxy>();
  private readonly observer: ResizeObserver;
  private readonly stopListening = new AbortController();
  private frame = 0;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private sharpening: ReturnType<typeof setTimeout> | undefined;
  private drawing = 0;
  private closed = false;

  constructor(private readonly options: StackOptions) {
    const { root, document: pdf, first, zoom } = options;
    this.layout = new PageLayout(pdf.numPages, sizeOf(first), this.room(), zoom);
    this.pages.set(0, first);
    this.layout.setSize(0, sizeOf(first));
    this.observer = new ResizeObserver(() => this.fitRoom());
    this.observer.observe(this.scroller);
    const { signal } = this.stopListening;
    const onScroll = () => {
      this.updateSoon();
      this.sharpenSoon();
    };
    window.addEventListener("scroll", onScroll, { passive: true, signal });
    this.scroller.addEventListener("scroll", () => this.sharpenSoon(), { passive: true, signal });
    window.addEventListener("resize", () => this.fitRoom(), { signal });
    root.style.height = `${this.layout.height}px`;
    this.arrange();
    this.update();
  }

  /** The element the pages may be wider than. */
  get scroller(): HTMLElement {
    return this.options.root.parentElement ?? this.options.root;
  }

  /** How far down the pages a height of the window is. */
  toPages(y: number): number {
    return y - this.options.root.getBoundingClientRect().top;
  }

  /** The boxes in the order of their pages. */
  inOrder(): PageBox[] {
    return [...this.boxes.values()].sort((a, b) => a.index - b.index);
  }

  setZoom(zoom: Zoom, at?: { x: number; y: number }): void {
    this.keepPlace(() => {
      this.layout.zoom = zoom;
    }, at);
  }

  /** The page at a height of the window, and how far down it that is; null above all pages. */
  placeAt(y: number): PagePlace | null {
    const down = this.toPages(y);
    if (down <= 0) return null;
    const page = this.layout.pageAt(down);
    const { top, height } = this.layout.rect(page);
    return { page, share: (down - top) / height };
  }

  /** Scrolls until a place is at a height of the window. */
  show({ page, share }: PagePlace, y: number): void {
    const { top, height } = this.layout.rect(page);
    const moved = top + share * height - this.toPages(y);
    if (Math.abs(moved) >= 1) window.scrollBy({ top: moved, behavior: "instant" });
  }

  /** Changes sizes while what is at a point of the window stays there. */
  keepPlace(change: () => void, at?: { x: number; y: number }): void {
    const { root } = this.options;
    const y = at?.y ?? BAR_HEIGHT;
    const place = this.placeAt(y);
    const across = at && (at.x - root.getBoundingClientRect().left) / Math.max(1, root.offsetWidth);
    change();
    this.arrange();
    if (place) this.show(place, y);
    if (at && across !== undefined) {
      const { left } = root.getBoundingClientRect();
      this.scroller.scrollLeft += left + across * root.offsetWidth - at.x;
    }
    this.update();
    this.options.onChange();
    this.drawWhenSettled();
  }

  page(index: number): Promise<PDFPageProxy> {
    const known = this.pages.get(index);
    return known ? Promise.resolve(known) : this.options.document.getPage(index + 1);
  }

  close(): void {
    this.closed = true;
    this.stopListening.abort();
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.settling);
    clearTimeout(this.sharpening);
    for (const box of this.boxes.values()) box.remove();
    this.boxes.clear();
  }

  private room() {
    const { clientWidth } = this.scroller;
    return { width: clientWidth, height: window.innerHeight - BAR_HEIGHT - 2 * 8 };
  }

  private fitRoom(): void {
    const room = this.room();
    // A column that is not shown has no width, and the pages stay as they are.
    if (room.width === 0) return;
    let changed = false;
    this.keepPlace(() => {
      changed = this.layout.setRoom(room);
    });
    if (!changed) this.updateSoon();
  }

  private arrange(): void {
    const { style } = this.options.root;
    style.height = `${this.layout.height}px`;
    style.width = `${Math.max(this.layout.width, this.room().width)}px`;
    for (const box of this.boxes.values()) {
      box.place(this.layout.rect(box.index));
      const page = this.pages.get(box.index);
      if (page) box.fitText(page);
    }
  }

  private updateSoon(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.update());
  }

  /** Brings the pages near the window, and lets go of the others. */
  private update(): void {
    if (this.closed) return;
    const top = this.toPages(0);
    const near = planOf(this.layout, top, window.innerHeight);
    let changed = false;
    for (const box of [...this.boxes.values()]) {
      if (near.kept.has(box.index) || isHeld(box.element)) continue;
      box.remove();
      this.boxes.delete(box.index);
      this.pages.get(box.index)?.cleanup();
      if (box.index > 0) this.pages.delete(box.index);
      changed = true;
    }
    for (const index of near.nearest) {
      if (this.boxes.has(index)) continue;
      this.add(index);
      changed = true;
    }
    this.drawNext();
    if (changed) this.options.onChange();
  }

  private add(index: number): void {
    const box = new PageBox(index, this.options.labelOf(index));
    this.boxes.set(index, box);
    box.place(this.layout.rect(index));
    const after = this.inOrder().find((one) => one.index > index);
    this.options.root.insertBefore(box.element, after?.element ?? null);
    void this.fill(box).catch(() => box.giveUp());
  }

  /** Gets the page of a box, gives it its size, and lays the text over it. */
  private async fill(box: PageBox): Promise<void> {
    const page = await this.page(box.index);
    if (this.boxes.get(box.index) !== box) return;
    this.pages.set(box.index, page);
    if (!this.layout.isKnown(box.index)) this.learn(box.index, sizeOf(page));
    this.drawNext();
    // What one sees comes first: one worker reads both.
    await box.pictured;
    if (this.boxes.get(box.index) !== box) return;
    await box.drawText(page, (link, target) => this.options.onLink(link, target));
    if (this.boxes.get(box.index) !== box) return;
    this.options.onText(box);
  }

  private learn(index: number, size: PageSize): void {
    const before = this.layout.rect(index);
    if (!this.layout.setSize(index, size)) return;
    this.arrange();
    // What lies above the window must not move what one reads.
    const after = this.layout.rect(index);
    const above = before.top + before.height <= this.toPages(BAR_HEIGHT);
    const grown = after.height - before.height;
    if (above && grown !== 0) window.scrollBy({ top: grown, behavior: "instant" });
    this.options.onChange();
    this.updateSoon();
  }

  private drawWhenSettled(): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.settling = undefined;
      this.drawNext();
      this.sharpenSoon();
    }, SETTLED_MS);
  }

  /** Starts drawing what is missing, the nearest page first. */
  private drawNext(): void {
    if (this.closed) return;
    const plan = planOf(this.layout, this.toPages(0), window.innerHeight);
    const budget = canvasBudget();
    const isWaiting = [...plan.visible].some((index) => this.boxes.get(index)?.isMissing ?? true);
    let left = budget.total;
    for (const index of plan.nearest) {
      const box = this.boxes.get(index);
      const page = this.pages.get(index);
      if (!box || !page) continue;
      // What is in the window is always drawn.
      if (left <= 0 && !plan.visible.has(index)) {
        box.dropPicture();
        continue;
      }
      left -= Math.min(budget.page, this.pixelsOf(index));
      const isNew = box.pixels === 0;
      if (!box.isStale || box.isDrawing || (this.settling && !isNew)) continue;
      if (isWaiting && !plan.visible.has(index)) continue;
      if (this.drawing < MAX_DRAWING) this.draw(box, page, budget.page);
    }
    for (const box of this.boxes.values()) {
      if (plan.nearest.includes(box.index)) continue;
      left -= box.pixels;
      if (left <= 0) box.dropPicture();
    }
  }

  private sharpenSoon(): void {
    clearTimeout(this.sharpening);
    this.sharpening = setTimeout(() => this.sharpen(), SETTLED_MS);
  }

  /** Draws what is in the window with all pixels of the screen, where the pages have fewer. */
  private sharpen(): void {
    if (this.closed || this.settling) return;
    const { visible } = planOf(this.layout, this.toPages(0), window.innerHeight);
    for (const index of visible) {
      const page = this.pages.get(index);
      if (page) this.boxes.get(index)?.sharpen(page);
    }
  }

  private draw(box: PageBox, page: PDFPageProxy, maxPixels: number): void {
    this.drawing += 1;
    void box.draw(page, maxPixels).finally(() => {
      this.drawing -= 1;
      this.drawNext();
      this.sharpenSoon();
    });
  }

  private pixelsOf(index: number): number {
    const { width, height } = this.layout.rect(index);
    return width * height * (window.devicePixelRatio || 1) ** 2;
  }
}

function sizeOf(page: PDFPageProxy): PageSize {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}
