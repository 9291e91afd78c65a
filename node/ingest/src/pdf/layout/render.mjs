/**
 * Writes blocks as HTML whose canonical text is that of the pages.
 *
 * Between two blocks stands exactly one white-space character, and the article's rule makes a newline
 * of each edge of an element: so of two neighbours at most one is an element of its own, and the
 * other is text beside it, which browsers set like a paragraph. Headings are always elements, unless
 * one follows another.
 */

import { slicer } from "./slices.mjs";

/**
 * @import { Block, Page, Range } from "./types.d.ts"
 *
 * @typedef {Pick<Page, "number" | "text">} PageText
 * @typedef {{start: number, end: number, tag: string}} Mark
 */

/** Hyphens that are not shown; nothing else in a PDF's text is marked so. */
const SOFT = "del";

/** About how much is yielded at once. */
const PIECE_CHARACTERS = 500_000;

/** Goes through a document in batches of pages. */
export class BlockRenderer {
  /** Whether the last block was an element; null at the beginning. @type {boolean | null} */
  #afterElement = null;

  /**
   * Yields pieces that may be cleaned one by one: each ends where an element does, or the next begins
   * with one.
   * @param {readonly Block[]} blocks In order.
   * @param {Iterable<PageText>} pages
   * @returns {Generator<string>}
   */
  *render(blocks, pages) {
    const slices = new Map([...pages].map(({ number, text }) => [number, slicer(text)]));
    let piece = "";
    for (const [index, block] of blocks.entries()) {
      piece += this.#written(block, blocks[index + 1], index === 0, slices);
      if (this.#afterElement && piece.length >= PIECE_CHARACTERS) {
        yield piece;
        piece = "";
      }
    }
    if (piece) yield piece;
  }

  /**
   * @param {Block} block
   * @param {Block | undefined} next
   * @param {boolean} isFirst
   * @param {Map<number, (from: number, to: number) => string>} slices
   */
  #written(block, next, isFirst, slices) {
    const after = this.#afterElement;
    const isTextBeside = !isHeading(block) && next !== undefined && isHeading(next);
    const isElement = !after && (!isTextBeside || (isFirst && after === false));
    this.#afterElement = isElement;
    const separator = after === false && !isElement ? "<br>" : "";
    return separator + wrapped(block, contentOf(block, slices), isElement);
  }
}

/** @param {Block} block */
const isHeading = ({ tag }) => tag !== "p" && tag !== "small";

/**
 * @param {Block} block
 * @param {string} content
 * @param {boolean} isElement
 */
function wrapped(block, content, isElement) {
  const inner = block.tag === "small" ? `<small>${content}</small>` : content;
  if (!isElement) return isHeading(block) ? `<strong>${inner}</strong>` : inner;
  const tag = isHeading(block) ? block.tag : "p";
  return `<${tag}>${inner}</${tag}>`;
}

/**
 * @param {Block} block
 * @param {Map<number, (from: number, to: number) => string>} slices
 */
function contentOf({ parts, inline, soft }, slices) {
  /** @type {Map<number, Mark[]>} */
  const marks = new Map(parts.map(({ page }) => [page, []]));
  for (const { page, start, end, kind } of inline) marks.get(page)?.push({ start, end, tag: kind });
  for (const { page, start, end } of soft) marks.get(page)?.push({ start, end, tag: SOFT });
  let html = "";
  parts.forEach((part, index) => {
    const slice = slices.get(part.page);
    if (!slice) throw new Error(`A block is on page ${part.page}, which is not there.`);
    const sorted = (marks.get(part.page) ?? []).sort((a, b) => a.start - b.start);
    html += marked(part, sorted, slice, index + 1 === parts.length ? "" : " ");
  });
  return html;
}

/**
 * @param {Range} part
 * @param {Mark[]} marks In order, none inside another.
 * @param {(from: number, to: number) => string} slice
 * @param {string} space What separates it from the next part.
 */
function marked({ start, end }, marks, slice, space) {
  let html = "";
  let at = start;
  for (const mark of marks) {
    // The space goes with the hyphen, or the two halves of the word would stand apart.
    const hidden = mark.tag === SOFT && mark.end === end ? space : "";
    html += escaped(slice(at, mark.start));
    html += `<${mark.tag}>${escaped(slice(mark.start, mark.end))}${hidden}</${mark.tag}>`;
    at = mark.end;
    if (hidden) return html;
  }
  return html + escaped(slice(at, end)) + space;
}

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>]/g, (character) => ENTITIES[character]);
