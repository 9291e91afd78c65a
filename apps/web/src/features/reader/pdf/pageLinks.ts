import type { PageViewport } from "pdfjs-dist/legacy/build/pdf.mjs";
import { isWebAddress } from "../../../shared/originalUrl";

/** Where a link of a PDF leads to inside of it, as pdf.js says: a name, or a page and a place. */
export type LinkTarget = string | readonly unknown[];

/** What is used of an annotation. Everything else in it, scripts above all, is left alone. */
interface Annotation {
  readonly subtype?: string;
  readonly rect?: readonly number[];
  readonly url?: string;
  readonly dest?: LinkTarget | null;
}

const MAX_LINKS = 2_000;

/** Lays the links of a page over it: those that lead out, and those that stay. */
export function drawLinks(
  layer: HTMLElement,
  annotations: readonly Annotation[],
  viewport: PageViewport,
  onInside: (link: HTMLAnchorElement, target: LinkTarget) => void,
): void {
  const links = annotations.filter(({ subtype }) => subtype === "Link").slice(0, MAX_LINKS);
  for (const { rect, url, dest } of links) {
    const outside = url && isSafe(url) ? url : null;
    if (!rect || (!outside && !dest)) continue;
    const link = document.createElement("a");
    place(link, rect, viewport);
    if (outside) leadOut(link, outside);
    else if (dest) onInside(link, dest);
    layer.append(link);
  }
}

function isSafe(url: string): boolean {
  return isWebAddress(url) || /^mailto:/i.test(url);
}

/** As links of articles do. */
function leadOut(link: HTMLAnchorElement, url: string): void {
  link.href = url;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  link.referrerPolicy = "no-referrer";
  link.setAttribute("aria-label", url.replace(/^mailto:/i, "E-mail to "));
}

/** In shares of the page, so that it holds at every size. */
function place(link: HTMLElement, rect: readonly number[], viewport: PageViewport): void {
  const corners = viewport.convertToViewportRectangle([...rect]) as number[];
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = corners;
  const share = (length: number, whole: number) => `${(100 * length) / whole}%`;
  link.style.left = share(Math.min(x1, x2), viewport.width);
  link.style.top = share(Math.min(y1, y2), viewport.height);
  link.style.width = share(Math.abs(x2 - x1), viewport.width);
  link.style.height = share(Math.abs(y2 - y1), viewport.height);
}
