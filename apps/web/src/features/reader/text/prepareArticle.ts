import type { ImageSize } from "../../../api/fragments";
import { imagePath } from "../../../shared/imagePath";

/** Fits parsed article HTML for the page. No text is changed, only attributes and boxes. */

const LEAF_BLOCKS =
  "p, h1, h2, h3, h4, h5, h6, li, td, th, blockquote, dt, dd, figcaption, caption, summary";
/** What has an edge or marks on the side where its text begins. */
const SIDED = "blockquote, ul, ol, dl, details";
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g;
const RTL_SCRIPTS = new Set(["Arab", "Hebr", "Syrc", "Thaa", "Nkoo", "Adlm", "Rohg"]);
const LETTERS = /\p{L}/gu;

export function prepareArticle(content: DocumentFragment, images: readonly ImageSize[]): void {
  const sizes = new Map(images.map((image) => [image.src, image]));
  for (const image of content.querySelectorAll("img")) prepareImage(image, sizes);
  for (const table of content.querySelectorAll("table")) wrapTable(table);
  // "auto" looks past elements that have a direction of their own, which here is all there is.
  for (const block of content.querySelectorAll<HTMLElement>(SIDED)) {
    if (!block.dir) block.dir = isRightToLeft(block.textContent) ? "rtl" : "ltr";
  }
  for (const block of content.querySelectorAll<HTMLElement>(LEAF_BLOCKS)) block.dir ||= "auto";
  for (const code of content.querySelectorAll("pre")) code.setAttribute("dir", "ltr");
}

function prepareImage(image: HTMLImageElement, sizes: ReadonlyMap<string, ImageSize>): void {
  const source = image.getAttribute("src") ?? "";
  const path = imagePath(source);
  if (path) image.setAttribute("src", path);
  if (standsAlone(image)) image.dataset.alone = "";
  image.loading = "lazy";
  image.decoding = "async";
  const size = sizes.get(source);
  if (size) makeRoom(image, size);
}

/**
 * The box is as large before the image comes as after, and when it never comes. Attributes would
 * not do: the image's own proportions would take their place if the page told others.
 */
function makeRoom(image: HTMLImageElement, { width, height }: ImageSize): void {
  image.dataset.sized = "";
  image.style.width = `${width}px`;
  image.style.aspectRatio = `${width} / ${height}`;
}

/** A picture with no text beside it is a figure; others are part of a line. */
function standsAlone(image: HTMLImageElement): boolean {
  const block = image.closest(`figure, ${LEAF_BLOCKS}`);
  return block === null || block.localName === "figure" || block.textContent.trim() === "";
}

/** Lets a wide table scroll. A span, because the canonical text knows nothing of it. */
function wrapTable(table: HTMLTableElement): void {
  const box = document.createElement("span");
  box.dataset.scrolls = "table";
  table.replaceWith(box);
  box.append(table);
}

/**
 * Whether a text is written from right to left: most of its letters are, or the language is and
 * the text does not contradict. Pages that are said to be English often are not.
 */
export function isRightToLeft(text: string, language: string | null = null): boolean {
  const sample = text.slice(0, 4000);
  const letters = sample.match(LETTERS)?.length ?? 0;
  const share = (sample.match(RTL)?.length ?? 0) / Math.max(1, letters);
  return share > (RTL_SCRIPTS.has(scriptOf(language)) ? 0.1 : 0.5);
}

function scriptOf(language: string | null): string {
  try {
    return new Intl.Locale(language ?? "und").maximize().script ?? "";
  } catch {
    return "";
  }
}

/** Lets the keyboard scroll boxes that are wider than the page, and only those. */
export function updateScrollBoxes(root: HTMLElement): void {
  for (const box of root.querySelectorAll<HTMLElement>("[data-scrolls], pre")) {
    const scrolls = box.scrollWidth > box.clientWidth + 1;
    if (scrolls === box.hasAttribute("tabindex")) continue;
    if (scrolls) {
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute(
        "aria-label",
        box.localName === "pre" ? "Scrollable code" : "Scrollable table",
      );
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    }
  }
}
