/**
 * Turns the text items of a PDF's pages into the blocks of the text view: paragraphs, headings, and
 * what stands at the edges of pages set apart. The text keeps its order and every character; only
 * where it is divided is found out here, from where the lines stand.
 */

import { markFurniture } from "./furniture.mjs";
import { levelsOf, markOutlined } from "./headings.mjs";
import { softRanges } from "./hyphens.mjs";
import { linesOf } from "./lines.mjs";
import { measure } from "./measures.mjs";
import { Flow } from "./paragraphs.mjs";

export { BlockRenderer } from "./render.mjs";

/**
 * @import { Block, Inline, Line, OutlineEntry, Page, Range } from "./types.d.ts"
 *
 * @typedef {{lines: Line[], isSmall: boolean}} Draft A block to be; furniture between its lines is
 *   set small inside it.
 */

/**
 * @param {{pages: Page[], outline?: OutlineEntry[]}} document
 * @returns {Block[]}
 */
export function layoutDocument({ pages, outline = [] }) {
  const lines = pages.map(linesOf);
  const measures = measure(lines);
  markOutlined(lines, outline);
  markFurniture(lines, measures);
  const drafts = draftsOf(lines, measures);
  const blocks = tagged(drafts, measures);
  addSoft(drafts, blocks, lines);
  return blocks;
}

/**
 * @param {Line[][]} pages
 * @param {import("./measures.mjs").Measures} measures
 */
function draftsOf(pages, measures) {
  const all = pages.flat();
  const flow = new Flow(
    all.filter((line) => !line.isFurniture),
    measures,
  );
  /** @type {Draft[]} */
  const drafts = [];
  /** @type {Draft | null} */
  let current = null;
  /** @type {Line[]} */
  let waiting = [];
  let index = 0;
  let first = 0;
  for (const line of all) {
    if (line.isFurniture) {
      waiting.push(line);
      continue;
    }
    const isForced = [...waiting, line].every((each) => each.joined);
    if (current && (isForced || flow.continues(index, first))) {
      for (const each of [...waiting, line]) current.lines.push(each);
    } else {
      const after = divide(waiting, current, line, drafts);
      current = { lines: [...after, line], isSmall: false };
      drafts.push(current);
      first = index;
    }
    waiting = [];
    index += 1;
  }
  divide(waiting, current, null, drafts);
  return drafts;
}

/**
 * Furniture between two blocks: what no space separates from one of them is part of it, the rest
 * becomes blocks of its own.
 * @param {Line[]} furniture
 * @param {Draft | null} before
 * @param {Line | null} next
 * @param {Draft[]} drafts
 * @returns {Line[]} What belongs to the next block.
 */
function divide(furniture, before, next, drafts) {
  let start = 0;
  while (before && furniture[start]?.joined) before.lines.push(furniture[start++]);
  let end = furniture.length;
  for (let follower = next; follower?.joined && end > start; ) follower = furniture[--end];
  /** @type {Draft | null} */
  let current = null;
  for (const line of furniture.slice(start, end)) {
    const last = current?.lines[current.lines.length - 1];
    if (current && last?.page === line.page && (line.joined || isOneRow(last, line))) {
      current.lines.push(line);
    } else {
      current = { lines: [line], isSmall: true };
      drafts.push(current);
    }
  }
  return furniture.slice(end);
}

/**
 * @param {Line} a
 * @param {Line} b
 */
const isOneRow = (a, b) => a.frame === b.frame && Math.abs(a.across - b.across) < a.size;

/**
 * @param {Draft[]} drafts
 * @param {import("./measures.mjs").Measures} measures
 * @returns {Block[]}
 */
function tagged(drafts, measures) {
  const texts = drafts.filter(({ isSmall }) => !isSmall);
  const groups = texts.map(({ lines }) => lines.filter((line) => !line.isFurniture));
  const levels = levelsOf(
    groups.map((lines, index) => ({
      lines,
      above: onSamePage(groups[index - 1]?.at(-1), lines[0]),
      below: onSamePage(groups[index + 1]?.[0], lines[0]),
    })),
    measures,
  );
  const levelOf = new Map(texts.map((draft, index) => [draft, levels[index]]));
  return drafts.map((draft) => blockOf(draft, levelOf.get(draft) ?? 0));
}

/**
 * @param {Line | undefined} line
 * @param {Line} other
 */
const onSamePage = (line, other) => (line && line.page === other.page ? line : null);

/**
 * @param {Draft} draft
 * @param {number} level
 * @returns {Block}
 */
function blockOf({ lines, isSmall }, level) {
  /** @type {Range[]} */
  const parts = [];
  /** @type {Inline[]} */
  const inline = [];
  for (const line of lines) {
    extend(parts, { page: line.page.number, start: line.start, end: line.end });
    if (isSmall) continue;
    if (line.isFurniture) {
      extend(inline, { kind: "small", page: line.page.number, start: line.start, end: line.end });
    } else
      inline.push(
        ...line.raised.map((range) => ({ kind: /** @type {const} */ ("sup"), ...range })),
      );
  }
  const tag = isSmall ? "small" : level ? /** @type {Block["tag"]} */ (`h${level}`) : "p";
  return { tag, parts, inline, soft: [] };
}

/**
 * Adds a range, to the last one where it goes on with it.
 * @template {Range & {kind?: string}} T
 * @param {T[]} ranges
 * @param {T} range
 */
function extend(ranges, range) {
  const last = ranges[ranges.length - 1];
  if (last?.page === range.page && last.kind === range.kind && range.start - last.end <= 1) {
    last.end = range.end;
  } else ranges.push(range);
}

/**
 * @param {Draft[]} drafts
 * @param {Block[]} blocks
 * @param {Line[][]} pages
 */
function addSoft(drafts, blocks, pages) {
  /** @type {[Line, Line][]} */
  const pairs = [];
  /** @type {Block[]} */
  const owners = [];
  drafts.forEach(({ lines }, index) => {
    for (let at = 1; at < lines.length; at += 1) {
      const [before, line] = [lines[at - 1], lines[at]];
      if (before.isFurniture || line.isFurniture) continue;
      pairs.push([before, line]);
      owners.push(blocks[index]);
    }
  });
  softRanges(pairs, pages).forEach((range, index) => {
    if (range) owners[index].soft.push(range);
  });
}
