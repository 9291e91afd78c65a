/** How lines stand to each other, and the columns that they make. */

/**
 * @import { Line } from "./types.d.ts"
 *
 * @typedef {"left" | "right" | "centre"} Align
 * @typedef {{from: number, to: number, align: Align, isList: boolean}} Column A list has lines of
 *   all lengths, as verses and addresses do.
 */

/** Letters that many times as large are of another size. */
export const LARGER = 1.12;
/** How many lines before and after tell where a column begins and ends. */
const AROUND = 8;
/** Lines farther away than this, in sizes of their letters, belong to something else. */
const FARTHEST = 2.6;
/** A line with less room than this at its end is a full one. */
const FULL = 4;

/**
 * @param {Line} a
 * @param {Line} b
 */
export const isSameSize = (a, b) => Math.max(a.size, b.size) < LARGER * Math.min(a.size, b.size);

/**
 * @param {Line} a
 * @param {Line} b
 */
export const overlap = (a, b) => a.from < b.to && b.from < a.to;

/**
 * Whether both begin and end at the same place.
 * @param {Line} a
 * @param {Line} b
 */
export const isFlush = (a, b) =>
  Math.abs(a.from - b.from) < 0.2 * a.size && Math.abs(a.to - b.to) < 0.2 * a.size;

/**
 * Whether `other` is the next line of the same column, down or (direction −1) up.
 * @param {Line} line
 * @param {Line} other
 * @param {number} direction
 */
export function isInColumn(line, other, direction) {
  const step = (other.across - line.across) * direction;
  return (
    other.page === line.page &&
    other.frame === line.frame &&
    step > 0 &&
    step < FARTHEST * line.size &&
    isSameSize(line, other) &&
    overlap(line, other)
  );
}

/**
 * The column a line stands in, and how its lines are set.
 * @param {Line[]} all
 * @param {number} index
 * @returns {Column}
 */
export function columnOf(all, index) {
  const line = all[index];
  const lines = around(all, index);
  const near = 0.2 * line.size;
  const starts = new Set(lines.map(({ from }) => Math.round(from / near)));
  const isUneven = lines.length > 3 && starts.size > 0.6 * lines.length;
  if (isUneven) {
    const sameTo = lines.filter(({ to }) => Math.abs(to - line.to) < near).length;
    const sameMiddle = lines.filter((each) => Math.abs(middle(each) - middle(line)) < near).length;
    if (sameTo > 3) return made(lines, "right");
    if (sameTo < 3 && sameMiddle > 2) return made(lines, "centre");
  }
  const alike = lines.filter(({ from }) => Math.abs(from - line.from) <= 0.5 * line.size);
  return made(alike.length > 2 ? alike : lines, "left");
}

/** @param {Line} line */
const middle = (line) => (line.from + line.to) / 2;

/**
 * The line with its neighbours in the same column.
 * @param {Line[]} all
 * @param {number} index
 */
function around(all, index) {
  const found = [all[index]];
  for (const direction of [-1, 1]) {
    let last = all[index];
    for (let at = index + direction; Math.abs(at - index) <= AROUND; at += direction) {
      const other = all[at];
      if (!other || !isInColumn(last, other, direction)) break;
      last = other;
      found.push(other);
    }
  }
  return found;
}

/**
 * @param {Line[]} lines
 * @param {Align} align
 * @returns {Column}
 */
function made(lines, align) {
  const from = Math.min(...lines.map((line) => line.from));
  const to = Math.max(...lines.map((line) => line.to));
  const column = { from, to, align, isList: false };
  const full = lines.filter((line) => roomIn(column, line) < FULL * line.size);
  column.isList = lines.length > 3 && full.length < 0.5 * lines.length;
  return column;
}

/**
 * How much longer the line could be.
 * @param {Column} column
 * @param {Line} line
 */
export function roomIn(column, line) {
  if (column.align === "left") return column.to - line.to;
  return column.to - column.from - (line.to - line.from);
}
