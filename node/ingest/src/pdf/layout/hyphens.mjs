/** Which hyphens at line ends are there only because the line ended. */

import { endsWithHyphen } from "./words.mjs";

/**
 * @import { Line, Range } from "./types.d.ts"
 *
 * @typedef {{range: Range, left: string, right: string, isChain: boolean, isSoft: boolean}} Join
 */

const LEFT = /(\p{L}+)([-\u2010\u00ad])$/u;
const RIGHT = /^(\p{L}+)(-?)/u;
const LONGEST_WORD = 40;
/** Nearly `\p{L}+` with hyphens inside; far quicker, and every word of the document passes here. */
const LETTER = "[^\\0-@[-`{-\\u00a9\\u2000-\\u206f\\u3000-\\u303f]";
const WORDS = new RegExp(`${LETTER}+(?:[-\\u2010]${LETTER}+)*`, "g");
const SOFT_HYPHEN = "\u00ad";

/**
 * The hyphens between lines that a reader of running text need not see.
 * @param {[Line, Line][]} pairs Lines that follow each other inside a block.
 * @param {Line[][]} pages
 * @returns {(Range | null)[]} One for each pair.
 */
export function softRanges(pairs, pages) {
  const joins = pairs.map(([before, line]) => joinOf(before, line));
  const evidence = new Evidence(
    joins.filter((join) => join !== null),
    pages,
  );
  return joins.map((join) => (join && isSoft(join, evidence) ? join.range : null));
}

/**
 * @param {Line} before
 * @param {Line} line
 * @returns {Join | null}
 */
function joinOf(before, line) {
  if (!endsWithHyphen(before.text)) return null;
  const left = LEFT.exec(before.text.slice(-LONGEST_WORD));
  const right = RIGHT.exec(line.text.slice(0, LONGEST_WORD));
  if (!left || !right || !(line.joined || line.page !== before.page)) return null;
  const isChain = right[2] !== "" || /[-\u2010]$/.test(before.text.slice(0, -left[0].length));
  const { end, page } = before;
  return {
    range: { page: page.number, start: end - 1, end },
    left: left[1],
    right: right[1],
    isChain,
    isSoft: left[2] === SOFT_HYPHEN,
  };
}

/** How often the words in question occur in the document, line ends apart. */
class Evidence {
  /** @type {Map<string, number>} */
  #counts = new Map();
  /** @type {Set<string>} */
  #prefixes = new Set();

  /**
   * @param {Join[]} joins
   * @param {Line[][]} pages
   */
  constructor(joins, pages) {
    for (const { left, right } of joins) {
      for (const word of [left, right, left + right, `${left}-${right}`]) {
        this.#counts.set(word.toLowerCase(), 0);
      }
    }
    if (!joins.length) return;
    let isCut = false;
    for (const line of pages.flat()) {
      if (line.isFurniture) continue;
      this.#read(line.text.toLowerCase(), isCut);
      isCut = endsWithHyphen(line.text);
    }
  }

  /**
   * @param {string} text
   * @param {boolean} isCut Whether it begins with the second half of a word.
   */
  #read(text, isCut) {
    const words = text.match(WORDS) ?? [];
    const first = isCut && text.startsWith(words[0] ?? " ") ? 1 : 0;
    const end = words.length - (endsWithHyphen(text) ? 1 : 0);
    for (let index = first; index < end; index += 1) {
      const word = words[index].replaceAll("\u2010", "-");
      const count = this.#counts.get(word);
      if (count !== undefined) this.#counts.set(word, count + 1);
      const hyphen = word.indexOf("-");
      if (hyphen > 0) this.#prefixes.add(word.slice(0, hyphen));
    }
  }

  /** @param {string} word */
  count(word) {
    return this.#counts.get(word.toLowerCase()) ?? 0;
  }

  /** @param {string} word */
  isPrefix(word) {
    return this.#prefixes.has(word.toLowerCase());
  }
}

/**
 * @param {Join} join
 * @param {Evidence} evidence
 */
function isSoft({ left, right, isChain, isSoft: isMarked }, evidence) {
  if (isMarked) return true;
  if (isChain) return false;
  const together = evidence.count(left + right);
  const hyphenated = evidence.count(`${left}-${right}`);
  if (together || hyphenated) return together > hyphenated;
  if (!/\p{Ll}$/u.test(left) || !/^\p{Ll}/u.test(right)) return false;
  const isWord = evidence.count(right) > 0;
  return !(isWord && (evidence.count(left) > 0 || evidence.isPrefix(left)));
}
