/** The outline of a PDF: a tree of labels, and where in the text of its pages each leads to. */

import { LIMITS } from "../limits.mjs";

/**
 * @import { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs"
 * @import { Run } from "../../../../canonical/pdf/page-text.mjs"
 *
 * @typedef {object} Entry
 * @property {string} label
 * @property {number} level From 1.
 * @property {number} page From 1; 0 while it is not known.
 * @property {number} offset In the text of the page, in code points.
 * @property {Entry[]} children
 *
 * @typedef {{number: number, ref: {num: number, gen: number} | null, items: any[], text: string, runs: Run[]}} Place
 */

/** Finds out, page by page, where the entries lead to. */
export class Outline {
  /** @type {Entry[]} */
  entries = [];
  /** What leads to a page, by its reference or its number. @type {Map<string, {entry: Entry, to: any[]}[]>} */
  #targets = new Map();
  #count = 0;

  /** @param {PDFDocumentProxy} document */
  static async read(document) {
    const outline = new Outline();
    const found = await document.getOutline();
    await outline.#add(document, found ?? [], outline.entries, 1);
    return outline;
  }

  /**
   * Look at a page: the entries that lead to it have their place now. Returns them in order.
   * @param {Place} page
   */
  visit(page) {
    const keys = [`#${page.number - 1}`, ...(page.ref ? [keyOf(page.ref)] : [])];
    const here = keys.flatMap((key) => this.#targets.get(key) ?? []);
    for (const { entry, to } of here) {
      entry.page = page.number;
      entry.offset = offsetOf(to, entry.label, page);
    }
    return here.map(({ entry }) => entry);
  }

  /**
   * @param {PDFDocumentProxy} document
   * @param {any[]} nodes
   * @param {Entry[]} into
   * @param {number} level
   */
  async #add(document, nodes, into, level) {
    for (const node of nodes) {
      if (this.#count >= LIMITS.pdfOutlineEntries || level > LIMITS.pdfOutlineDepth) return;
      this.#count += 1;
      /** @type {Entry} */
      const entry = { label: String(node.title), level, page: 0, offset: 0, children: [] };
      into.push(entry);
      const to = await destination(document, node.dest);
      if (to) {
        const key = typeof to[0] === "number" ? `#${to[0]}` : keyOf(to[0]);
        this.#targets.set(key, [...(this.#targets.get(key) ?? []), { entry, to }]);
      }
      await this.#add(document, node.items ?? [], entry.children, level + 1);
    }
  }
}

/** @param {{num: number, gen: number}} ref */
const keyOf = (ref) => `${ref?.num}R${ref?.gen}`;

/**
 * The destination itself, where it has a name; null if it leads nowhere in this file.
 * @param {PDFDocumentProxy} document
 * @param {string | any[] | null} named
 */
async function destination(document, named) {
  try {
    const to = typeof named === "string" ? await document.getDestination(named) : named;
    return Array.isArray(to) && to.length > 0 ? to : null;
  } catch {
    return null; // a broken entry is no reason to lose the others
  }
}

/**
 * Where in the page's text a destination is: at the line it points to, else where its label
 * stands, else at the top of the page.
 * @param {any[]} to
 * @param {string} label
 * @param {Place} page
 */
function offsetOf(to, label, { items, text, runs }) {
  const [left, top] = cornerOf(to);
  if (top === null) return Math.max(0, codePoints(text, text.indexOf(label.trim() || text)));
  let best = null;
  let least = Infinity;
  for (const run of runs) {
    const [, , , , x, y] = items[run.item].transform;
    // A heading one can see whole begins a little below the point; anything above is before it.
    const below = top - y;
    const beside = left !== null && x < left - NEAR ? BESIDE : 0;
    if (below > -NEAR && below + beside < least) {
      best = run;
      least = below + beside;
    }
  }
  return best ? best.offset : 0;
}

const NEAR = 2;
/** What stands left of the point is taken only if nothing else is near. */
const BESIDE = 100;

/**
 * `[left, top]` as far as the destination says.
 * @param {any[]} to
 * @returns {[number | null, number | null]}
 */
function cornerOf([, kind, ...numbers]) {
  /** @param {any} value */
  const number = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);
  if (kind?.name === "XYZ") return [number(numbers[0]), number(numbers[1])];
  if (kind?.name === "FitH" || kind?.name === "FitBH") return [null, number(numbers[0])];
  if (kind?.name === "FitR") return [number(numbers[0]), number(numbers[3])];
  return [null, null];
}

/**
 * @param {string} text
 * @param {number} units
 */
const codePoints = (text, units) => [...text.slice(0, Math.max(0, units))].length;
