import type { PDFPageProxy, RenderTask } from "pdfjs-dist/legacy/build/pdf.mjs";

interface Part {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * What of a page is in the window, drawn with as many pixels as the screen has. The picture of a
 * whole page may not have so many when it is large.
 */
export class PageDetail {
  private canvas: HTMLCanvasElement | null = null;
  private task: RenderTask | null = null;
  /** Which part it is, and at which size. */
  private key = "";

  constructor(private readonly element: HTMLElement) {}

  async draw(page: PDFPageProxy, scale: number): Promise<void> {
    const part = partInWindow(this.element);
    const key = [scale, part.left, part.top, part.width, part.height].join();
    if (key === this.key || part.width <= 0 || part.height <= 0) return;
    this.key = key;
    this.task?.cancel();
    const sharpness = window.devicePixelRatio || 1;
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(part.width * sharpness);
    canvas.height = Math.ceil(part.height * sharpness);
    canvas.className = "pdf-detail";
    canvas.setAttribute("role", "presentation");
    const viewport = page.getViewport({ scale });
    const [x, y] = [-part.left * sharpness, -part.top * sharpness];
    const task = page.render({ canvas, viewport, transform: [sharpness, 0, 0, sharpness, x, y] });
    this.task = task;
    // Without it the picture of the whole page is seen.
    const isDrawn = await task.promise.then(
      () => true,
      () => false,
    );
    if (isDrawn && this.task === task) this.show(canvas, part);
    else free(canvas);
  }

  drop(): void {
    this.task?.cancel();
    this.task = null;
    this.key = "";
    this.canvas?.remove();
    if (this.canvas) free(this.canvas);
    this.canvas = null;
  }

  private show(canvas: HTMLCanvasElement, part: Part): void {
    const { offsetWidth, offsetHeight } = this.element;
    // It moves and grows with the page until it is drawn again.
    canvas.style.left = `${(100 * part.left) / offsetWidth}%`;
    canvas.style.top = `${(100 * part.top) / offsetHeight}%`;
    canvas.style.width = `${(100 * part.width) / offsetWidth}%`;
    canvas.style.height = `${(100 * part.height) / offsetHeight}%`;
    const old = this.canvas;
    this.canvas = canvas;
    this.element.querySelector("canvas:not(.pdf-detail)")?.after(canvas);
    old?.remove();
    if (old) free(old);
  }
}

/** In the pixels of the page, whole ones. */
function partInWindow(element: HTMLElement): Part {
  const box = element.getBoundingClientRect();
  const left = Math.floor(Math.max(0, -box.left));
  const top = Math.floor(Math.max(0, -box.top));
  const right = Math.ceil(Math.min(box.width, window.innerWidth - box.left));
  const bottom = Math.ceil(Math.min(box.height, window.innerHeight - box.top));
  return { left, top, width: right - left, height: bottom - top };
}

/** Browsers keep the memory of a canvas until it has no size. */
export function free(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}
