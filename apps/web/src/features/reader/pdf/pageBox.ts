import {
  type PDFPageProxy,
  RenderingCancelledException,
  type RenderTask,
  TextLayer,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import type { CanonicalMap } from "../../../canonical";
import { free, PageDetail } from "./pageDetail";
import type { PageRect } from "./pageLayout";
import { drawLinks, type LinkTarget } from "./pageLinks";
import { pageMap } from "./pageMap";
import { painted } from "./painted";
import { readPage } from "./readPage";

/** The text of a page that is drawn. */
export interface DrawnText {
  readonly text: string;
  /** Null when the text cannot be found in the layer. */
  readonly map: CanonicalMap | null;
}

/** One page on the screen: its picture, its text over that, and its links over both. */
export class PageBox {
  readonly element = document.createElement("div");
  drawn: DrawnText | null = null;
  private readonly layer = document.createElement("div");
  private readonly links = document.createElement("div");
  private canvas: HTMLCanvasElement | null = null;
  /** Said in place of the picture. */
  private readonly missing = document.createElement("p");
  private readonly detail = new PageDetail(this.element);
  /** Whether the picture has fewer pixels than the screen. */
  private isCoarse = false;
  private task: RenderTask | null = null;
  private textLayer: TextLayer | null = null;
  private scale = 0;
  private drawnScale = 0;
  private failedScale = 0;
  private tell: () => void = () => undefined;
  /** Resolves once the picture was drawn, or could not be. */
  readonly pictured = new Promise<void>((resolve) => {
    this.tell = resolve;
  });
  private removed = false;

  constructor(
    readonly index: number,
    label: string,
  ) {
    const { element, layer, links, missing } = this;
    element.className = "pdf-page";
    element.setAttribute("role", "region");
    element.setAttribute("aria-label", label);
    layer.className = "pdf-text";
    links.className = "pdf-links";
    missing.className = "pdf-missing";
    missing.textContent = "This page is damaged and cannot be shown.";
    element.append(layer, links);
  }

  place({ top, width, height, scale }: PageRect): void {
    const { style } = this.element;
    style.top = `${top}px`;
    style.width = `${width}px`;
    style.height = `${height}px`;
    this.scale = scale;
    style.setProperty("--scale-factor", String(scale));
  }

  get isDrawing(): boolean {
    return this.task !== null;
  }

  /** Whether the picture is missing, or is of another size. */
  get isStale(): boolean {
    if (this.failedScale === this.scale) return false;
    return !this.canvas || Math.abs(this.drawnScale / this.scale - 1) > 0.01;
  }

  /** Whether there is no picture, and one can be expected. */
  get isMissing(): boolean {
    return !this.canvas && this.isStale;
  }

  /** How many pixels the picture has. */
  get pixels(): number {
    return this.canvas ? this.canvas.width * this.canvas.height : 0;
  }

  /** Draws the picture, with as many pixels as the screen has but not more than `maxPixels`. */
  async draw(page: PDFPageProxy, maxPixels: number): Promise<void> {
    const { scale } = this;
    const viewport = page.getViewport({ scale: scale });
    const sharpness = Math.min(
      window.devicePixelRatio || 1,
      Math.sqrt(maxPixels / (viewport.width * viewport.height)),
    );
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.floor(viewport.width * sharpness));
    canvas.height = Math.max(1, Math.floor(viewport.height * sharpness));
    canvas.setAttribute("role", "presentation");
    const transform = [sharpness, 0, 0, sharpness, 0, 0];
    this.task?.cancel();
    const task = page.render({ canvas, viewport, transform });
    this.task = task;
    try {
      await task.promise;
      if (this.removed) free(canvas);
      else {
        this.show(canvas, scale);
        this.isCoarse = sharpness < (window.devicePixelRatio || 1);
        await painted();
      }
    } catch (error) {
      free(canvas);
      if (this.task === task && !this.removed && !isGivenUp(error)) this.fail();
    } finally {
      if (this.task === task) this.task = null;
      this.tell();
    }
  }

  private show(canvas: HTMLCanvasElement, scale: number): void {
    if (this.canvas) {
      this.canvas.replaceWith(canvas);
      free(this.canvas);
    } else this.element.prepend(canvas);
    this.missing.remove();
    this.detail.drop();
    this.canvas = canvas;
    this.drawnScale = scale;
  }

  /** Draws the part in the window once more where the picture is not sharp. */
  sharpen(page: PDFPageProxy): void {
    if (this.isCoarse && this.canvas && !this.isStale) void this.detail.draw(page, this.scale);
  }

  /** Lays the text over the page, and its links. */
  async drawText(page: PDFPageProxy, onLink: (link: HTMLAnchorElement, to: LinkTarget) => void) {
    const viewport = page.getViewport({ scale: this.scale });
    this.element.style.setProperty("--user-unit", String(page.userUnit));
    const found = await readPage(page);
    if (this.removed) return;
    const source = { textContentSource: found.content, container: this.layer, viewport };
    this.textLayer = new TextLayer(source);
    await this.textLayer.render();
    if (this.removed) return;
    const end = document.createElement("div");
    end.className = "pdf-text-end";
    this.layer.append(end);
    const map = pageMap(this.layer, this.textLayer.textDivs, found);
    this.drawn = { text: found.text, map };
    const annotations = await page.getAnnotations({ intent: "display" });
    if (!this.removed) drawLinks(this.links, annotations, viewport, onLink);
  }

  /** Fits the text to the size of the page. */
  fitText(page: PDFPageProxy): void {
    this.textLayer?.update({ viewport: page.getViewport({ scale: this.scale }) });
  }

  /** There will be no picture: the file has no such page, or a broken one. */
  giveUp(): void {
    if (!this.canvas) this.fail();
  }

  private fail(): void {
    this.failedScale = this.scale;
    this.tell();
    if (!this.canvas) this.element.prepend(this.missing);
  }

  /** Gives the picture back; the text stays. */
  dropPicture(): void {
    this.task?.cancel();
    this.task = null;
    this.detail.drop();
    if (!this.canvas) return;
    this.canvas.remove();
    free(this.canvas);
    this.canvas = null;
  }

  remove(): void {
    this.removed = true;
    this.tell();
    this.dropPicture();
    this.textLayer?.cancel();
    this.element.remove();
  }
}

/** Whether it was we who did not want it any more. */
function isGivenUp(error: unknown): boolean {
  return error instanceof RenderingCancelledException;
}
