/** What is usual in a document: size and type of its text, and how far its lines are apart. */

import { Tally } from "./tally.mjs";

/**
 * @import { Line } from "./types.d.ts"
 *
 * @typedef {object} Measures
 * @property {number} size Of the text that most of the document is in.
 * @property {string} font
 * @property {boolean} indents Whether paragraphs begin with an indent.
 * @property {(line: Line) => boolean} isBody
 * @property {(line: Line) => number} leadingOf How far the next line usually is.
 * @property {(line: Line) => boolean} standsOut Whether it is wholly in a font that little of the
 *   document is in, as headings are.
 */

/** Fewer lines than this say nothing about a page. */
const ENOUGH = 4;
const RARE = 0.1;

/**
 * @param {Line[][]} pages
 * @returns {Measures}
 */
export function measure(pages) {
  const sizes = new Tally();
  const fonts = new Tally();
  const bodyFonts = new Tally();
  for (const line of pages.flat()) {
    sizes.add(sizeKey(line), line.text.length);
    fonts.add(line.font, line.text.length);
  }
  const usual = sizes.most() ?? 20;
  for (const line of pages.flat()) {
    if (sizeKey(line) === usual) bodyFonts.add(line.font, line.text.length);
  }
  const font = bodyFonts.most() ?? "";
  return {
    size: usual / 2,
    font,
    indents: hasIndents(pages),
    isBody: (line) => line.font === font && Math.abs(sizeKey(line) - usual) <= 1,
    leadingOf: leadings(pages),
    standsOut: (line) =>
      line.isPlain && line.font !== font && fonts.get(line.font) < RARE * fonts.total,
  };
}

/** @param {Line} line */
const sizeKey = (line) => Math.min(Math.round(line.size * 2), MOST_SIZES - 1);

/**
 * Distances between lines are counted by size for each page, and for the whole document for pages
 * that have too few. They are rounded to a fiftieth of the size.
 * @param {Line[][]} pages
 */
function leadings(pages) {
  /** @type {Map<number, Tally>} */
  const tallies = new Map();
  for (const lines of pages) {
    for (let index = 1; index < lines.length; index += 1) {
      const [before, line] = [lines[index - 1], lines[index]];
      const distance = (line.across - before.across) / line.size;
      const isNext = before.frame === line.frame && sizeKey(before) === sizeKey(line);
      if (!isNext || distance < 0.8 || distance > 2.5) continue;
      for (const key of [pageKey(line), sizeKey(line), ANY]) {
        const tally = tallies.get(key) ?? new Tally();
        tally.add(Math.round(distance * 50), 1);
        tallies.set(key, tally);
      }
    }
  }
  /** @type {Map<number, number>} */
  const found = new Map();
  for (const [key, tally] of tallies) {
    if (tally.total >= ENOUGH || key === ANY) found.set(key, tally.least() / 50);
  }
  const otherwise = found.get(ANY) ?? 1.2;
  return (/** @type {Line} */ line) =>
    line.size * (found.get(pageKey(line)) ?? found.get(sizeKey(line)) ?? otherwise);
}

/** Lines of any size on any page. */
const ANY = -1;
const MOST_SIZES = 100_000;

/** @param {Line} line */
const pageKey = (line) => line.page.number * MOST_SIZES + sizeKey(line);

/**
 * Whether lines set in, followed by one that is not, are frequent.
 * @param {Line[][]} pages
 */
function hasIndents(pages) {
  let all = 0;
  let indented = 0;
  for (const lines of pages) {
    for (let index = 1; index + 1 < lines.length; index += 1) {
      const [before, line, next] = [lines[index - 1], lines[index], lines[index + 1]];
      const isEven = Math.abs(line.across - before.across - (next.across - line.across)) < 0.2;
      if (!isEven || before.frame !== line.frame || line.frame !== next.frame) continue;
      all += 1;
      const indent = line.from - next.from;
      const isSame = Math.abs(before.from - next.from) < 0.2 * line.size;
      if (isSame && indent > 0.6 * line.size && indent < 5 * line.size) indented += 1;
    }
  }
  return indented > 0.02 * all;
}
