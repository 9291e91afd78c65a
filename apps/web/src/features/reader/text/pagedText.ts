import { canonicalize, offsetsToSegments } from "../../../canonical";
import { labelOf, type PageOfText } from "../../../shared/pages";

/** Fits the text of a file that is printed on pages. No text is changed, as in an article. */

export interface PageStart extends PageOfText {
  readonly offset: number;
}

const BLOCKS = new Set("p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote figure hr".split(" "));

/**
 * Works on a text that is not on the page yet, where each change would be laid out. The column is
 * where it will stand.
 */
export function preparePaged(
  root: HTMLElement,
  pages: readonly PageStart[],
  column: HTMLElement,
): void {
  boxParagraphs(root);
  markPages(root, pages);
  boxSheets(root);
  guessHeights(root, column);
}

const SHEET_BLOCKS = 40;
const SHEET_LETTERS = 4_000;

/**
 * Puts some paragraphs into a box each time, which is laid out or not as a whole: a long text has
 * tens of thousands, and asking each of them takes seconds. Headings stay outside, as the contents
 * ask where they are.
 */
function boxSheets(root: HTMLElement): void {
  let sheet: HTMLElement | null = null;
  let letters = 0;
  for (const node of [...root.childNodes]) {
    if (HEADING.test(node.nodeName)) {
      sheet = null;
      continue;
    }
    if (!sheet || sheet.childElementCount >= SHEET_BLOCKS || letters > SHEET_LETTERS) {
      sheet = document.createElement("span");
      sheet.dataset.sheet = "";
      letters = 0;
      node.before(sheet);
    }
    sheet.append(node);
    letters += node.textContent?.length ?? 0;
  }
}

const HEADING = /^h[1-6]$/i;
const LETTER_EM = 0.5;
const LINE_EM = 1.65;
const GAP_EM = 1.1;

/** What is far from the screen is not laid out; about as high as it will be, it moves little. */
function guessHeights(root: HTMLElement, column: HTMLElement): void {
  const em = Number.parseFloat(getComputedStyle(column).fontSize) || 16;
  const perLine = Math.max(1, column.clientWidth / (em * LETTER_EM));
  const linesOf = (block: Element) => Math.max(1, Math.ceil(block.textContent.length / perLine));
  for (const box of root.children) {
    const blocks = box.matches("[data-sheet]") ? [...box.children] : [box];
    const lines = blocks.reduce((sum, block) => sum + linesOf(block), 0);
    const height = `auto ${(lines * LINE_EM + (blocks.length - 1) * GAP_EM).toFixed(2)}em`;
    (box as HTMLElement).style.setProperty("contain-intrinsic-block-size", height);
  }
}

/**
 * Every other paragraph stands beside elements without one of its own, because two elements would
 * be two newlines apart. It gets a span, of which the canonical text knows nothing.
 */
function boxParagraphs(root: HTMLElement): void {
  let box: HTMLElement | null = null;
  for (const node of [...root.childNodes]) {
    const name = node.nodeName.toLowerCase();
    if (BLOCKS.has(name) || name === "br") {
      box = null;
      continue;
    }
    if (!box) {
      if (!node.textContent?.trim()) continue;
      box = document.createElement("span");
      box.dataset.paragraph = "";
      box.dir = "auto";
      node.before(box);
    }
    box.append(node);
  }
}

/**
 * Marks where pages begin. A mark is an empty element whose words are drawn by the style sheet, so
 * that it is part of neither the text nor a selection; it may stand in the middle of a word.
 */
function markPages(root: HTMLElement, pages: readonly PageStart[]): void {
  const map = canonicalize(root);
  // From the end: what is before a mark is still where the map has it.
  for (let index = pages.length - 1; index >= 0; index -= 1) {
    const page = pages[index];
    // A page without text begins where the next one does.
    if (!page || pages[index + 1]?.offset === page.offset) continue;
    const [first] = offsetsToSegments(map, { start: page.offset, end: page.offset + 1 });
    if (!first) continue;
    const rest = first.start > 0 ? first.node.splitText(first.start) : first.node;
    rest.before(markOf(page));
  }
}

function markOf(page: PageOfText): HTMLElement {
  const mark = document.createElement("span");
  mark.dataset.page = labelOf(page);
  // Read aloud, it would stand in the middle of a sentence or of a heading's name.
  mark.setAttribute("aria-hidden", "true");
  return mark;
}
