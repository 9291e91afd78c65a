/** Headings: what the outline names, and what is larger than the text or stands out from it. */

import { LARGER } from "./columns.mjs";
import { bare, endsSentence, startsApart } from "./words.mjs";

/**
 * @import { Line, OutlineEntry } from "./types.d.ts"
 * @import { Measures } from "./measures.mjs"
 *
 * @typedef {{lines: Line[], above: Line | null, below: Line | null}} Group A block to be, and what
 *   stands around it.
 */

/** How many lines a label may take. */
const MOST_LINES = 6;
const MOST_PLACES = 50;
/** Sizes that differ less belong to one level. */
const NEARLY = 1.15;
const LONGEST = 200;
const LONGEST_PLAIN = 90;
const LONGEST_SENTENCE = 60;
/** The dots of a table of contents. */
const LEADERS = /(?:\.\s?){4}|…{2}/;

/**
 * Notes at the lines which entry of the outline they are.
 * @param {Line[][]} pages
 * @param {OutlineEntry[]} outline
 */
export function markOutlined(pages, outline) {
  /** @type {Map<number, Line[]>} */
  const byNumber = new Map();
  for (const lines of pages) if (lines.length) byNumber.set(lines[0].page.number, lines);
  /** @type {Map<Line[], Map<string, number[]>>} */
  const starts = new Map();
  for (const entry of outline) {
    const labels = [...new Set([bare(entry.label), unnumbered(entry.label)])];
    const lines = byNumber.get(entry.page);
    if (!labels[0] || !lines) continue;
    const known = starts.get(lines) ?? startsOf(lines);
    starts.set(lines, known);
    const places = labels.flatMap((label) => known.get(label.slice(0, KEY)) ?? []);
    for (const line of printed(lines, places, labels)) line.entry = entry;
  }
}

const KEY = 3;

/**
 * Where on the page lines begin with which letters, so that labels are looked up, not searched for.
 * @param {Line[]} lines
 */
function startsOf(lines) {
  /** @type {Map<string, number[]>} */
  const starts = new Map();
  lines.forEach((line, index) => {
    if (line.text.length > 2 * LONGEST) return;
    const texts = [bare(line.text), unnumbered(line.text)];
    for (const key of new Set(texts.map((text) => text.slice(0, KEY)))) {
      const known = starts.get(key);
      if (known) known.push(index);
      else starts.set(key, [index]);
    }
  });
  return starts;
}

const NUMBER_WORDS =
  "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen" +
  "|seventeen|eighteen|nineteen|twenty";
/** Outlines often have another way to number than the page. */
const NUMBERING = new RegExp(
  `^(?:(?:chapter|part|section|appendix|kapitel|teil)\\s+)?(?:[\\divxl]+|${NUMBER_WORDS}|\\p{L})` +
    "(?:\\.\\d+)*(?:[.:)]\\s*|\\s+)(?=.*\\p{L}{2})",
  "iu",
);

/** @param {string} text */
const unnumbered = (text) => bare(text.replace(NUMBERING, ""));

/**
 * The lines that say the label. A running head may say it too, but is not larger and comes first.
 * @param {Line[]} lines
 * @param {number[]} starts
 * @param {string[]} labels
 */
function printed(lines, starts, labels) {
  /** @type {Line[]} */
  let best = [];
  for (const index of starts.slice(0, MOST_PLACES)) {
    const found = lines.slice(index, index + matching(lines, index, labels));
    if (found.length && found[0].size >= (best[0]?.size ?? 0)) best = found;
  }
  return best;
}

/**
 * How many lines from this one on make the label, with or without the numbers before them.
 * @param {Line[]} lines
 * @param {number} index
 * @param {string[]} labels
 */
function matching(lines, index, labels) {
  let texts = [bare(lines[index].text), unnumbered(lines[index].text)];
  for (let count = 1; count <= MOST_LINES; count += 1) {
    if (lines[index + count - 1].entry) return 0;
    if (texts.some((text) => labels.includes(text))) return count;
    const next = lines[index + count];
    if (!next || !texts.some((text) => labels.some((label) => label.startsWith(text)))) return 0;
    texts = texts.map((text) => text + bare(next.text));
  }
  return 0;
}

/**
 * The level of each group that is a heading, 1 to 6; 0 of the others.
 * @param {Group[]} groups
 * @param {Measures} measures
 * @returns {number[]}
 */
export function levelsOf(groups, measures) {
  const top = groups.reduce((least, { lines }) => Math.min(least, lines[0].entry?.level ?? 99), 99);
  const isLarge = groups.map((group) => isLargeHeading(group, measures));
  const sizes = distinctSizes(groups.filter((_, index) => isLarge[index]));
  return groups.map((group, index) => {
    const { entry } = group.lines[0];
    const { size } = mainLine(group);
    if (entry) return level(entry.level - top + 1);
    if (isLarge[index]) return level(1 + sizes.findIndex((each) => size > each / NEARLY));
    return isPlainHeading(group, measures) ? level(1 + Math.max(1, sizes.length)) : 0;
  });
}

/** @param {number} value */
const level = (value) => Math.min(6, Math.max(1, value));

/**
 * The sizes in use, largest first; nearly equal ones are one.
 * @param {Group[]} groups
 */
function distinctSizes(groups) {
  const sorted = groups.map((group) => mainLine(group).size).sort((a, b) => b - a);
  /** @type {number[]} */
  const sizes = [];
  for (const size of sorted) {
    if (!sizes.length || size < sizes[sizes.length - 1] / NEARLY) sizes.push(size);
  }
  return sizes;
}

/**
 * Not a large initial, but the text that follows it.
 * @param {Group} group
 */
const mainLine = ({ lines }) =>
  lines.reduce((longest, line) => (line.text.length > longest.text.length ? line : longest));

/** @param {Group} group */
const textOf = ({ lines }) => lines.map(({ text }) => text).join(" ");

/**
 * @param {Group} group
 * @param {Measures} measures
 */
function isLargeHeading(group, measures) {
  const line = mainLine(group);
  if (line.size < LARGER * measures.size || line.cells > 2) return false;
  const text = textOf(group);
  if (LEADERS.test(text)) return false;
  const isSentence = /[,;]$/.test(text) || (text.length > LONGEST_SENTENCE && /[.:]$/.test(text));
  return text.length <= LONGEST && /\p{L}/u.test(text) && !isSentence;
}

/**
 * A line of its own in another type than the text, or in capitals, with text below it.
 * @param {Group} group
 * @param {Measures} measures
 */
function isPlainHeading(group, measures) {
  const { lines, above, below } = group;
  const [line] = lines;
  if (lines.length > 2 || line.cells > 1 || !below || line.size < 0.95 * measures.size)
    return false;
  const text = textOf(group);
  const looksSo = /^[\p{Lu}\p{N}]/u.test(text) && /\p{L}{3}/u.test(text) && !endsSentence(text);
  if (!looksSo || text.length > LONGEST_PLAIN || /[,;=]$/.test(text) || startsApart(text))
    return false;
  const isBodyFont = line.font === measures.font;
  const isCapitals = isBodyFont && !/\p{Ll}/u.test(text) && /\p{Lu}{4}/u.test(text);
  if (!measures.standsOut(line) && !isCapitals) return false;
  const leading = measures.leadingOf(line);
  const isApart =
    !above || line.across < above.across || line.across - above.across > 1.2 * leading;
  return isApart && (isCapitals || below.font !== line.font) && below.text.length > text.length;
}
