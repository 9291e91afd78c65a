/** Running heads, footers and page numbers: what stands at the edge of page after page. */

/**
 * @import { Line } from "./types.d.ts"
 * @import { Measures } from "./measures.mjs"
 *
 * @typedef {"top" | "bottom"} Edge
 * @typedef {{line: Line, edge: Edge, key: string, gap: number, outside: Line | null}} Candidate
 *   A line at an edge, how far the next row is, and what stands nearer to the edge.
 */

/** How many rows at each edge of a page may be furniture. */
const ROWS = 3;
/** So many pages make a line a running one. */
const REPEATS = 3;
/** Lines this far apart, in points, still stand at the same place. */
const SAME_PLACE = 4;
const LONGEST = 200;

const PAGE_NUMBER =
  /^[^\p{L}\p{N}]{0,3}(?:(?:page|seite|p\.)\s*)?(\d{1,5}|[ivxlc]{1,8})(?:\s*(?:\/|of|von)\s*\d{1,5})?[^\p{L}\p{N}]{0,3}$/iu;

/**
 * Marks the furniture among the lines of all pages.
 * @param {Line[][]} pages
 * @param {Measures} measures
 */
export function markFurniture(pages, measures) {
  const candidates = pages.flatMap((lines) => candidatesOf(lines, measures));
  markRepeated(candidates, pages.length);
  markPageNumbers(candidates);
  markSamePlace(candidates, measures);
  for (const lines of pages) spareWholePage(lines);
}

/**
 * The lines of a page's outermost rows.
 * @param {Line[]} lines
 * @param {Measures} measures
 * @returns {Candidate[]}
 */
function candidatesOf(lines, measures) {
  const frame = mainFrame(lines);
  const rows = lines.filter(
    (line) => line.frame === frame && !line.entry && line.text.length <= LONGEST,
  );
  rows.sort((a, b) => a.across - b.across);
  return [...edgeOf(rows, "top", measures), ...edgeOf(rows.reverse(), "bottom", measures)];
}

/**
 * @param {Line[]} rows Outermost first.
 * @param {Edge} edge
 * @param {Measures} measures
 */
function edgeOf(rows, edge, measures) {
  /** @type {Candidate[]} */
  const found = [];
  /** @type {Line | null} */
  let outside = null;
  let start = 0;
  for (let count = 0; count < ROWS && start < rows.length; count += 1) {
    let end = start + 1;
    while (end < rows.length && distance(rows[end], rows[start]) <= 0.5 * rows[start].size)
      end += 1;
    for (const line of rows.slice(start, end)) {
      const gap = end < rows.length ? distance(rows[end], line) / measures.leadingOf(line) : 0;
      found.push({ line, edge, key: `${edge} ${pattern(line.text)}`, gap, outside });
    }
    outside = rows[start];
    start = end;
  }
  return found;
}

/**
 * Only running lines stand between this one and the edge of the page.
 * @param {Candidate} candidate
 */
const isOutermost = ({ outside }) => outside === null || outside.isFurniture;

/**
 * @param {Line} a
 * @param {Line} b
 */
const distance = (a, b) => Math.abs(a.across - b.across);

/** @param {Line[]} lines */
export function mainFrame(lines) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const { frame, text } of lines) sizes.set(frame, (sizes.get(frame) ?? 0) + text.length);
  return [...sizes].reduce((best, each) => (each[1] > best[1] ? each : best), ["", 0])[0];
}

/**
 * The text without what changes from page to page.
 * @param {string} text
 */
const pattern = (text) =>
  text
    .toLowerCase()
    .replace(/\d+/g, "#")
    .replace(/^[ivxlc]+(?=\s)|(?<=\s)[ivxlc]+$/g, "#")
    .replace(/\s+/g, " ");

/**
 * @param {Candidate[]} candidates
 * @param {number} pages
 */
function markRepeated(candidates, pages) {
  /** @type {Map<string, Candidate[]>} */
  const groups = new Map();
  for (const candidate of candidates) {
    if (!/\p{L}{2}/u.test(candidate.key.slice(candidate.key.indexOf(" ")))) continue;
    const group = groups.get(candidate.key);
    if (group) group.push(candidate);
    else groups.set(candidate.key, [candidate]);
  }
  const enough = Math.min(REPEATS, Math.max(2, pages));
  for (const group of groups.values()) {
    if (group.length < enough) continue;
    for (const cluster of clusters(group)) {
      const count = new Set(cluster.map(({ line }) => line.page)).size;
      if (count < enough) continue;
      for (const { line, gap } of cluster) line.isFurniture = count >= REPEATS || gap > 1.5;
    }
  }
}

/**
 * Groups of candidates at the same place.
 * @param {Candidate[]} group
 */
function clusters(group) {
  const sorted = [...group].sort((a, b) => a.line.across - b.line.across);
  /** @type {Candidate[][]} */
  const found = [];
  let last = -Infinity;
  for (const candidate of sorted) {
    if (candidate.line.across - last > SAME_PLACE) found.push([]);
    found[found.length - 1].push(candidate);
    last = candidate.line.across;
  }
  return found;
}

/**
 * Numbers that count with the pages, alone or at an end of a line apart from the text.
 * @param {Candidate[]} candidates
 */
function markPageNumbers(candidates) {
  /** @type {Map<string, Candidate[]>} */
  const series = new Map();
  for (const candidate of candidates) {
    if (!isOutermost(candidate)) continue;
    const { text, page } = candidate.line;
    const alone = numberAlone(text);
    if (alone && /^[ivxlc]/.test(alone) && candidate.gap > 1.5) candidate.line.isFurniture = true;
    for (const number of alone ? [alone] : (text.match(NUMBER_AT_END) ?? [])) {
      const key = `${/^\d/.test(number)} ${countOf(number) - page.number}`;
      const known = series.get(key);
      if (known) known.push(candidate);
      else series.set(key, [candidate]);
    }
  }
  for (const [key, group] of series) {
    const pages = new Set(group.map(({ line }) => line.page)).size;
    for (const { line, gap } of group) {
      const isAlone = numberAlone(line.text) !== undefined;
      if (isAlone && (pages > 1 || key === "true 0")) line.isFurniture = true;
      if (!isAlone && pages >= REPEATS && gap > 1.3) line.isFurniture = true;
    }
  }
}

/**
 * Full-width digits are digits too.
 * @param {string} text
 */
const numberAlone = (text) => PAGE_NUMBER.exec(text.normalize("NFKC"))?.[1];

const NUMBER_AT_END = /^\d{1,4}(?=\s)|(?<=\s)\d{1,4}$|^[ivxlc]{1,7}(?=\s)|(?<=\s)[ivxlc]{1,7}$/g;

/** @param {string} number */
const countOf = (number) =>
  /^\d/.test(number) ? Number(number) : romanValue(number.toLowerCase());

/** @type {Record<string, number>} */
const ROMAN = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** @param {string} text */
function romanValue(text) {
  const values = [...text].map((letter) => ROMAN[letter]);
  return values.reduce(
    (sum, value, index) => sum + (value < values[index + 1] ? -value : value),
    0,
  );
}

/**
 * Lines that change from page to page, at the place and in the type of furniture found so far, or at
 * the same place of most pages and apart from the text.
 * @param {Candidate[]} candidates
 * @param {Measures} measures
 */
function markSamePlace(candidates, measures) {
  /** @type {Map<string, Candidate[]>} */
  const places = new Map();
  for (const candidate of candidates) {
    const key = place(candidate);
    const known = places.get(key);
    if (known) known.push(candidate);
    else places.set(key, [candidate]);
  }
  for (const group of places.values()) {
    if (group.length < REPEATS) continue;
    const known = group.filter(({ line }) => line.isFurniture).length;
    const isUsual = known >= REPEATS && known * 2 >= group.length;
    group.forEach((candidate, index) => {
      const { line, gap } = candidate;
      if (!isOutermost(candidate)) return;
      const isApart = gap > 1.5 && !measures.isBody(line) && line.size < 1.1 * measures.size;
      // Titles of chapters stand at the same place too, but not on pages so near to each other.
      const isDense = [-2, -1, 1, 2].filter((step) => isNear(group[index + step], line)).length > 1;
      if (isApart && isDense && (isUsual || group.length >= 2 * REPEATS)) line.isFurniture = true;
    });
  }
}

/**
 * @param {Candidate | undefined} candidate
 * @param {Line} line
 */
const isNear = (candidate, line) =>
  candidate !== undefined && Math.abs(candidate.line.page.number - line.page.number) <= 4;

/** @param {Candidate} candidate */
const place = ({ line, edge }) =>
  [edge, Math.round(line.across / SAME_PLACE), Math.round(line.size * 2), line.font].join(" ");

/**
 * A page must not be all furniture, as slides with one line would be.
 * @param {Line[]} lines
 */
function spareWholePage(lines) {
  if (lines.some((line) => !line.isFurniture && /\p{L}/u.test(line.text))) return;
  for (const line of lines) if (/\p{L}{3}/u.test(line.text)) line.isFurniture = false;
}
