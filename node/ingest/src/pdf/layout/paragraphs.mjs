/** Where paragraphs begin among the lines of the text, furniture left out. */

import { columnOf, isFlush, isInColumn, isSameSize, LARGER, overlap, roomIn } from "./columns.mjs";
import {
  endsSentence,
  endsWithHyphen,
  endsWithPage,
  firstWord,
  goesOn,
  isNextEntry,
  startsApart,
  startsInside,
  startsLikeItem,
} from "./words.mjs";

/**
 * @import { Line } from "./types.d.ts"
 * @import { Column } from "./columns.mjs"
 * @import { Measures } from "./measures.mjs"
 */

/** A line this much farther away than usual begins something. */
const WIDE_GAP = 1.3;
/** An initial is at least so many times as large as the text that flows around it. */
const DROP_CAP = 1.7;

/** The lines of a document in order, and which of them go on with the one before. */
export class Flow {
  #lines;
  #measures;

  /**
   * @param {Line[]} lines
   * @param {Measures} measures
   */
  constructor(lines, measures) {
    this.#lines = lines;
    this.#measures = measures;
  }

  /**
   * Whether a line goes on with the paragraph that began with the line `first`.
   * @param {number} index
   * @param {number} first
   */
  continues(index, first) {
    const line = this.#lines[index];
    const before = this.#lines[index - 1];
    if (line.entry || before.entry) return line.entry === before.entry;
    if (line.frame !== before.frame) return false;
    if (this.#isBesideInitial(index, first)) return true;
    if (line.page !== before.page) return this.#goesOnElsewhere(index);
    const step = line.across - before.across;
    const size = Math.max(line.size, before.size);
    if (!isSameSize(line, before)) return Math.abs(step) < 0.5 * size;
    if (step < -0.5 * size) return this.#goesOnElsewhere(index);
    if (step <= 0.5 * size) return line.cells === 1 || line.from >= before.from;
    return this.#goesOnBelow(index, first, step);
  }

  /**
   * @param {number} index
   * @param {number} first
   * @param {number} step
   */
  #goesOnBelow(index, first, step) {
    const line = this.#lines[index];
    const before = this.#lines[index - 1];
    const isBig = line.size > LARGER * this.#measures.size;
    if (isBig && line.font === before.font && step < 1.7 * line.size)
      return !startsLikeItem(line.text);
    const leading = this.#measures.leadingOf(line);
    if (step > WIDE_GAP * leading || !overlap(line, before)) return false;
    if (line.cells > 1 || before.cells > 1 || startsApart(line.text)) return false;
    if (endsWithPage(before.text) && endsWithPage(line.text)) return false;
    if (isNextEntry(before.text, line.text)) return false;
    // Most lines of justified text, which need no closer look.
    const isItem = startsLikeItem(line.text);
    if (isFlush(line, before) && !endsSentence(before.text) && !isItem) return true;
    const column = columnOf(this.#lines, index - 1);
    const isShort = this.#isShort(index - 1, column);
    const isSet = Math.abs(line.from - before.from) > 0.5 * line.size;
    if (isItem) {
      const others = [this.#lines[first], this.#below(index)];
      const isList = others.some((other) => other && isItemBeside(other, line));
      if (isShort || isSet || isList || endsSentence(before.text)) return false;
    }
    const isUnderInitial = index - first > 1 && this.#isBesideInitial(index - 1, first);
    const canIndent = column.align === "left" && !isUnderInitial;
    if (canIndent && this.#isIndented(index, first, isShort)) return false;
    return !isShort;
  }

  /**
   * A line set in begins a paragraph, unless the paragraph's lines hang; one that sticks out begins
   * the next of those that hang.
   * @param {number} index
   * @param {number} first
   * @param {boolean} isShort
   */
  #isIndented(index, first, isShort) {
    const line = this.#lines[index];
    const before = this.#lines[index - 1];
    const indent = (line.from - before.from) / line.size;
    if (indent < -0.6) return index - first > 1 || isShort;
    const below = this.#below(index);
    const goesBack = below !== null && line.from - below.from > 0.6 * line.size;
    if (indent < 0.6) {
      // Two first lines of paragraphs, the one before all there is of its own.
      return goesBack && index - first === 1 && endsSentence(before.text);
    }
    if (index - first === 1 && startsLikeItem(before.text)) return false;
    if (goesOn(before.text, line.text)) return false;
    const staysIn = below !== null && Math.abs(below.from - line.from) < 0.4 * line.size;
    return !(staysIn && index - first === 1 && !isShort && !endsSentence(before.text));
  }

  /**
   * Whether the first word of the next line had room at the end of this one: then the line ended
   * because the paragraph did.
   * @param {number} index
   * @param {Column} column
   */
  #isShort(index, column) {
    const line = this.#lines[index];
    const next = this.#lines[index + 1];
    const room = roomIn(column, line);
    const width = (next.to - next.from) / Math.max(1, next.text.length);
    const word = firstWord(next.text);
    // A line without spaces can be broken anywhere.
    const needed = width * (word.length === next.text.length ? 1 : word.length + 1);
    if (column.isList && !goesOn(line.text, next.text)) return true;
    if (endsSentence(line.text)) return room > needed + 0.2 * line.size;
    // In the middle of a sentence it takes more to believe in an end.
    const share = startsInside(next.text) ? 0.3 : 0.15;
    return room > Math.max(needed * 1.3, share * (column.to - column.from));
  }

  /**
   * The line right below in the same column.
   * @param {number} index
   */
  #below(index) {
    const line = this.#lines[index];
    const next = this.#lines[index + 1];
    const isNear = next && next.across - line.across < 1.6 * this.#measures.leadingOf(line);
    return isNear && isInColumn(line, next, 1) ? next : null;
  }

  /**
   * Whether the first line of a column or page goes on with the last line of the one before.
   * @param {number} index
   */
  #goesOnElsewhere(index) {
    const line = this.#lines[index];
    const before = this.#lines[index - 1];
    if (!isSameSize(line, before) || line.cells > 1 || before.cells > 1) return false;
    if (startsApart(line.text)) return false;
    if (endsWithHyphen(before.text) && startsInside(line.text)) return true;
    if (endsWithPage(before.text) && endsWithPage(line.text)) return false;
    const ends = endsSentence(before.text);
    if (startsInside(line.text) && !ends) return true;
    if (line.size > LARGER * this.#measures.size || startsLikeItem(line.text)) return false;
    if (this.#measures.standsOut(line) !== this.#measures.standsOut(before)) return false;
    const below = this.#below(index);
    const isSetIn = below !== null && line.from - below.from > 0.6 * line.size;
    if (isSetIn || this.#isShortAtEnd(index - 1)) return false;
    // Of a line that stands alone nobody can say whether it is full.
    const above = this.#lines[index - 2];
    if (!above || !isInColumn(above, before, 1)) return false;
    return !ends || (this.#measures.indents && below !== null);
  }

  /**
   * The last line of a column is compared with those above it only.
   * @param {number} index
   */
  #isShortAtEnd(index) {
    const line = this.#lines[index];
    return roomIn(columnOf(this.#lines, index), line) > 2 * line.size;
  }

  /**
   * Whether a line stands beside a large initial letter.
   * @param {number} index
   * @param {number} first
   */
  #isBesideInitial(index, first) {
    const line = this.#lines[index];
    const initial = this.#lines[first];
    return (
      initial.text.length <= 2 &&
      initial.page === line.page &&
      initial.size > DROP_CAP * line.size &&
      line.from >= initial.from &&
      line.across > initial.across - initial.size &&
      line.across < initial.across + 0.5 * line.size
    );
  }
}

/**
 * Whether another line begins like an item of the same list.
 * @param {Line} other
 * @param {Line} line
 */
const isItemBeside = (other, line) =>
  startsLikeItem(other.text) && Math.abs(other.from - line.from) < 0.5 * line.size;
