import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { LinkTarget } from "./pageLinks";
import type { PageOffsets } from "./pageOffsets";
import { readPage } from "./readPage";

/** A line counts as at a place when it is lower by no more than this, in points. */
const SLACK = 2;

interface Place {
  /** Index of the page. */
  readonly page: number;
  /** Height on it, in points from below; null for the top. */
  readonly y: number | null;
}

/** Finds where the links inside a PDF lead to, when one is followed. */
export class DestinationFinder {
  private readonly targets = new WeakMap<Element, LinkTarget>();

  constructor(private readonly document: PDFDocumentProxy) {}

  set(link: Element, target: LinkTarget): void {
    this.targets.set(link, target);
  }

  /** The offset of the first line at or below the place; null for links that lead nowhere. */
  async offsetOf(link: Element, offsets: PageOffsets): Promise<number | null> {
    const target = this.targets.get(link);
    const place = target ? await this.placeOf(target).catch(() => null) : null;
    if (!place) return null;
    if (!offsets.hasText)
      return offsets.offsetAt({ page: place.page, share: await this.share(place) });
    return offsets.start(place.page) + (await this.lineAt(place));
  }

  private async placeOf(target: LinkTarget): Promise<Place | null> {
    const named = typeof target === "string" ? await this.document.getDestination(target) : target;
    const [where, how, ...numbers] = named ?? [];
    const page =
      typeof where === "number" ? where : await this.document.getPageIndex(where as never);
    if (page < 0 || page >= this.document.numPages) return null;
    const name = (how as { name?: string } | undefined)?.name;
    const y = name === "XYZ" || name === "FitR" ? numbers[name === "XYZ" ? 1 : 3] : null;
    const across = name === "FitH" || name === "FitBH" ? numbers[0] : y;
    return { page, y: typeof across === "number" ? across : null };
  }

  private async lineAt({ page, y }: Place): Promise<number> {
    if (y === null) return 0;
    const { items, runs } = await readPage(await this.document.getPage(page + 1));
    let best: { height: number; offset: number } | null = null;
    for (const { item, offset } of runs) {
      const height = Number(items[item]?.transform[5]);
      if (height <= y + SLACK && (!best || height > best.height)) best = { height, offset };
    }
    return best?.offset ?? 0;
  }

  private async share({ page, y }: Place): Promise<number> {
    if (y === null) return 0;
    const proxy = await this.document.getPage(page + 1);
    const viewport = proxy.getViewport({ scale: 1 });
    const [, top = 0] = viewport.convertToViewportPoint(0, y) as number[];
    return Math.min(1, Math.max(0, top / viewport.height));
  }
}
