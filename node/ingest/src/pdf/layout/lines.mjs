/** Text items become printed lines, in their order and with all of the page's text. */

import { codePoints, slicer } from "./slices.mjs";
import { Tally } from "./tally.mjs";
import { isListMark } from "./words.mjs";

/**
 * @import { Line, Page, Run, TextItem } from "./types.d.ts"
 *
 * @typedef {object} Piece The part of an item that is in the text.
 * @property {number} start
 * @property {number} length
 * @property {string} frame
 * @property {boolean} isRtl
 * @property {number} from
 * @property {number} to
 * @property {number} across
 * @property {number} size
 * @property {string} font
 *
 * @typedef {{pieces: Piece[], cells: number}} Draft A line being put together.
 */

/** A gap so many times the size of the letters parts the cells of a table. */
const CELL_GAP = 2;
/** Marks of footnotes and ordinals, not words. */
const LONGEST_RAISED = 4;

/**
 * @param {Page} page
 * @returns {Line[]}
 */
export function linesOf(page) {
  const slice = slicer(page.text);
  const drafts = draftsOf(page, slice);
  const starts = drafts.map((draft, index) => (index ? draft.pieces[0].start : 0));
  starts.push(codePoints(page.text) + 1);
  return drafts.map((draft, index) => {
    const next = starts[index + 1];
    const isLast = index + 1 === drafts.length;
    const hasSpace = isLast || slice(next - 1, next) === " ";
    const start = starts[index];
    const joined = index > 0 && slice(start - 1, start) !== " ";
    return finished(draft, page, slice, { start, end: hasSpace ? next - 1 : next, joined });
  });
}

/**
 * @param {Page} page
 * @param {(from: number, to: number) => string} slice
 */
function draftsOf(page, slice) {
  /** @type {Draft[]} */
  const drafts = [];
  /** @type {Draft | null} */
  let current = null;
  let passed = 0;
  for (const run of page.runs) {
    for (; passed < run.item; passed += 1) if (page.items[passed].hasEOL) current = null;
    const piece = pieceOf(page, run);
    if (!piece) continue;
    if (current && isElsewhere(current, piece)) current = null;
    if (!current && isOnRow(drafts[drafts.length - 1], piece)) current = drafts[drafts.length - 1];
    if (current) {
      extend(current, piece, slice);
    } else {
      current = { pieces: [piece], cells: 1 };
      drafts.push(current);
    }
  }
  return drafts;
}

/**
 * @param {Page} page
 * @param {Run} run
 * @returns {Piece | null}
 */
function pieceOf({ items, styles }, { item: index, from, to, offset }) {
  const item = items[index];
  const characters = item.str.slice(from, to);
  const trimmed = characters.trim();
  if (!trimmed) return null;
  const isVertical = item.dir === "ttb" || styles[item.fontName]?.vertical === true;
  const [a, b, c, d, x, y] = item.transform;
  const angle = isVertical ? -90 : b === 0 && a > 0 ? 0 : degrees(a, b);
  const [cos, sin] = DIRECTIONS.get(angle) ?? direction(angle);
  const begin = finite(x * cos + y * sin);
  const length = Math.abs(finite(isVertical ? item.height : item.width));
  return {
    start: offset + characters.indexOf(trimmed),
    length: codePoints(trimmed),
    frame: isVertical ? "vertical" : String(angle),
    isRtl: item.dir === "rtl",
    from: begin,
    to: begin + length,
    across: finite(x * sin - y * cos),
    size: finite(Math.hypot(c, d)) || 1,
    font: item.fontName,
  };
}

/** @param {number} value */
const finite = (value) => (Number.isFinite(value) ? value : 0);

/**
 * @param {number} a
 * @param {number} b
 */
const degrees = (a, b) => finite(Math.round((Math.atan2(b, a) * 180) / Math.PI));

/** Exact where it matters, so that upright text has exact positions. */
const DIRECTIONS = new Map([
  [0, [1, 0]],
  [90, [0, 1]],
  [180, [-1, 0]],
  [-180, [-1, 0]],
  [-90, [0, -1]],
]);

/** @param {number} degrees */
function direction(degrees) {
  const radians = (degrees * Math.PI) / 180;
  return [Math.cos(radians), Math.sin(radians)];
}

/**
 * Whether a piece stands on another line, though pdf.js saw no line end.
 * @param {Draft} draft
 * @param {Piece} piece
 */
function isElsewhere({ pieces }, piece) {
  const last = pieces[pieces.length - 1];
  const distance = Math.abs(last.across - piece.across);
  return last.frame !== piece.frame || distance > 1.2 * Math.max(last.size, piece.size);
}

/**
 * Whether a piece after a line end still stands on the line before, as cells of a table do.
 * @param {Draft | undefined} draft
 * @param {Piece} piece
 */
function isOnRow(draft, piece) {
  const last = draft?.pieces[draft.pieces.length - 1];
  return (
    last !== undefined &&
    last.frame === piece.frame &&
    Math.abs(last.across - piece.across) < 0.4 * Math.min(last.size, piece.size) &&
    (last.isRtl && piece.isRtl
      ? piece.to <= last.from + 0.3 * piece.size
      : piece.from >= last.to - 0.3 * piece.size)
  );
}

/**
 * @param {Draft} draft
 * @param {Piece} piece
 * @param {(from: number, to: number) => string} slice
 */
function extend(draft, piece, slice) {
  const first = draft.pieces[0];
  const last = draft.pieces[draft.pieces.length - 1];
  const gap = Math.max(piece.from - last.to, last.from - piece.to);
  if (gap > CELL_GAP * piece.size) {
    const before = piece.start - first.start < 12 ? slice(first.start, piece.start) : "";
    if (!isListMark(before.trim())) draft.cells += 1;
  }
  draft.pieces.push(piece);
}

/**
 * @param {Draft} draft
 * @param {Page} page
 * @param {(from: number, to: number) => string} slice
 * @param {{start: number, end: number, joined: boolean}} place
 * @returns {Line}
 */
function finished({ pieces, cells }, page, slice, { start, end, joined }) {
  const { size, font, across, isPlain } = dominant(pieces);
  const raised = pieces.filter((piece, index) =>
    isRaised(piece, index ? pieces[index - 1] : pieces[1], size, across),
  );
  const from = pieces.reduce((least, piece) => Math.min(least, piece.from), Infinity);
  const to = pieces.reduce((most, piece) => Math.max(most, piece.to), -Infinity);
  const isRtl = pieces.reduce((sum, { isRtl, length }) => sum + (isRtl ? length : -length), 0) > 0;
  const { frame } = pieces[0];
  return {
    page,
    start,
    end,
    text: slice(start, end),
    joined,
    frame: isRtl ? `${frame} rtl` : frame,
    from: isRtl ? -to : from,
    to: isRtl ? -from : to,
    across,
    size,
    font,
    isPlain,
    cells,
    raised: raised.map(({ start, length }) => ({
      page: page.number,
      start,
      end: start + length,
    })),
    isFurniture: false,
    entry: null,
  };
}

/**
 * The size and the font with the most characters, and the baseline of the longest piece in that size.
 * @param {Piece[]} pieces
 */
function dominant(pieces) {
  if (pieces.length === 1) return { ...pieces[0], isPlain: true };
  const sizes = new Tally();
  const fonts = new Tally();
  for (const piece of pieces) {
    sizes.add(Math.round(piece.size * 2), piece.length);
    fonts.add(piece.font, piece.length);
  }
  const usual = sizes.most();
  const { size, across } = pieces.reduce((best, piece) => {
    if (Math.round(piece.size * 2) !== usual) return best;
    return Math.round(best.size * 2) !== usual || piece.length > best.length ? piece : best;
  });
  const font = fonts.most();
  return { size, across, font, isPlain: fonts.get(font) > 0.9 * fonts.total };
}

/**
 * @param {Piece} piece
 * @param {Piece | undefined} beside The piece it is a mark of.
 * @param {number} size
 * @param {number} across
 */
function isRaised(piece, beside, size, across) {
  if (!beside || piece.length > LONGEST_RAISED || piece.size >= 0.85 * size) return false;
  const gap = Math.max(piece.from - beside.to, beside.from - piece.to);
  return gap < 0.4 * size && piece.across < across - 0.2 * size;
}
