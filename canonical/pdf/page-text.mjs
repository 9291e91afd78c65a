/**
 * The text of a PDF's page, from what pdf.js finds on it: one rule for the extractor and the reader,
 * which both run this module. `cases.json` beside it shows what the rule comes to.
 *
 * 1. The strings of the items are joined in their order; what has no string (marked content) is
 *    passed over. Nothing is added between items: pdf.js has found the spaces already.
 * 2. Whitespace, as the article's rule has it (`python/nexus/html/text.py`), is a space; runs of
 *    spaces are one.
 * 3. A line end (`hasEOL`) is a space too, except between a hyphen that follows a letter or digit
 *    and a letter or digit: there it is nothing, and the hyphen stays.
 * 4. Control characters, noncharacters, lone surrogates, and combining marks after 30 in a row
 *    are dropped, because no stored text has them.
 * 5. The whole is in NFC, without spaces at its ends.
 *
 * So the text is a fixed point of the article's rule. `runs` says where it came from.
 */

/**
 * @typedef {{str?: string, hasEOL?: boolean}} TextItem
 *
 * @typedef {object} Run A piece of an item that went into the text, code point by code point.
 * @property {number} item Its index.
 * @property {number} from The first UTF-16 unit of its `str`.
 * @property {number} to The unit after the last.
 * @property {number} offset Where it is in the text, in code points.
 *
 * @typedef {{text: string, runs: Run[]}} PageText
 */

/** What both sides ask pdf.js for. */
export const TEXT_CONTENT_OPTIONS = Object.freeze({
  includeMarkedContent: false,
  disableNormalization: false,
});

const LINE_END = -1;
const NOWHERE = -2;

const MOST_MARKS = 30;
const MARK = /\p{M}/u;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, "gu");
/** Most items: words of ASCII with single spaces between them, which go into the text as they are. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
/** A character with all that NFC may join to it: marks, and in Hangul vowels and final consonants. */
const CLUSTER = /[\u1100-\u1112\uac00-\ud7a3][\u1161-\u1175\u11a8-\u11c2]*\p{M}*|.\p{M}*/gsu;

/**
 * @param {readonly TextItem[]} items
 * @returns {PageText}
 */
export function pageText(items) {
  const writer = new Writer();
  items.forEach(({ str, hasEOL }, item) => {
    if (typeof str !== "string") return;
    if (PLAIN.test(str)) writer.plain(str, item);
    else writer.any(str, item);
    if (hasEOL) writer.lineEnd();
  });
  return composed({ text: writer.text, runs: writer.runs.list }, items);
}

class Writer {
  text = "";
  runs = new Runs();
  #length = 0;
  /** The last two characters written. */
  #last = 0;
  #before = 0;
  #marks = 0;
  /** Where a space not written yet came from: an item, a line end or nowhere, as there is none. */
  #spaceItem = NOWHERE;
  #spaceUnit = 0;

  /**
   * @param {string} str
   * @param {number} item
   */
  any(str, item) {
    for (let unit = 0; unit < str.length; ) {
      const code = /** @type {number} */ (str.codePointAt(unit));
      if (isWhitespace(code)) this.#noteSpace(item, unit);
      else if (isKept(code)) this.#character(code, item, unit);
      unit += unitsOf(code);
    }
  }

  /**
   * The same, for one that is PLAIN.
   * @param {string} str
   * @param {number} item
   */
  plain(str, item) {
    this.#writeSpace(str.charCodeAt(0));
    this.runs.add(item, 0, str.length, this.#length, str.length);
    this.text += str;
    this.#length += str.length;
    this.#marks = 0;
    this.#before = str.length > 1 ? str.charCodeAt(str.length - 2) : this.#last;
    this.#last = str.charCodeAt(str.length - 1);
  }

  /**
   * @param {number} item
   * @param {number} unit
   */
  #noteSpace(item, unit) {
    if (this.#spaceItem >= 0 || this.#length === 0) return;
    this.#spaceItem = item;
    this.#spaceUnit = unit;
  }

  lineEnd() {
    if (this.#spaceItem === NOWHERE && this.#length > 0) this.#spaceItem = LINE_END;
  }

  /**
   * @param {number} code
   * @param {number} item
   * @param {number} unit
   */
  #character(code, item, unit) {
    if (!this.#hasRoomFor(code)) return;
    this.#writeSpace(code);
    this.#write(code, item, unit);
  }

  /**
   * The space before a character, if there is one.
   * @param {number} next
   */
  #writeSpace(next) {
    const isLineEnd = this.#spaceItem === LINE_END;
    if (this.#spaceItem >= 0) this.#write(0x20, this.#spaceItem, this.#spaceUnit);
    else if (isLineEnd && !this.#isHyphenated(next)) this.#write(0x20, LINE_END, 0);
    this.#spaceItem = NOWHERE;
  }

  /** @param {number} code */
  #hasRoomFor(code) {
    const isMark = code >= 0x300 && MARK.test(String.fromCodePoint(code));
    const joins = isMark && this.#spaceItem === NOWHERE;
    if (joins && this.#marks >= MOST_MARKS) return false;
    this.#marks = joins ? this.#marks + 1 : Number(isMark);
    return true;
  }

  /** @param {number} next */
  #isHyphenated(next) {
    return isHyphen(this.#last) && isWordCharacter(this.#before) && isWordCharacter(next);
  }

  /**
   * @param {number} code
   * @param {number} item
   * @param {number} unit
   */
  #write(code, item, unit) {
    if (item >= 0) this.runs.add(item, unit, unitsOf(code), this.#length, 1);
    this.text += String.fromCodePoint(code);
    this.#length += 1;
    this.#before = this.#last;
    this.#last = code;
  }
}

/**
 * The same text in NFC, which pdf.js does not give where an accent is a character of its own. Of
 * characters that become one, the first stands for it.
 * @param {PageText} page
 * @param {readonly TextItem[]} items
 * @returns {PageText}
 */
function composed(page, items) {
  if (page.text.normalize("NFC") === page.text) return page;
  const sources = sourcesOf(page.runs, items);
  const runs = new Runs();
  let text = "";
  let length = 0;
  let read = 0;
  for (const [cluster] of page.text.matchAll(CLUSTER)) {
    const normal = [...cluster.normalize("NFC").replace(TOO_MANY_MARKS, "$1")];
    const before = [...cluster].length;
    for (let index = 0; index < Math.min(before, normal.length); index += 1) {
      const source = sources.get(read + index);
      if (source) runs.add(source.item, source.unit, source.units, length + index, 1);
    }
    text += normal.join("");
    length += normal.length;
    read += before;
  }
  return { text, runs: runs.list };
}

/**
 * Where the character at each offset came from.
 * @param {readonly Run[]} runs
 * @param {readonly TextItem[]} items
 */
function sourcesOf(runs, items) {
  /** @type {Map<number, {item: number, unit: number, units: number}>} */
  const sources = new Map();
  for (const { item, from, to, offset } of runs) {
    let unit = from;
    let at = offset;
    for (const character of (items[item]?.str ?? "").slice(from, to)) {
      sources.set(at, { item, unit, units: character.length });
      unit += character.length;
      at += 1;
    }
  }
  return sources;
}

/** Puts characters that follow each other in an item and in the text into one run. */
class Runs {
  /** @type {Run[]} */
  list = [];
  /** The offset after the last run. */
  #end = 0;

  /**
   * @param {number} item
   * @param {number} unit
   * @param {number} units
   * @param {number} offset
   * @param {number} length
   */
  add(item, unit, units, offset, length) {
    const last = this.list[this.list.length - 1];
    if (last && last.item === item && last.to === unit && this.#end === offset) last.to += units;
    else this.list.push({ item, from: unit, to: unit + units, offset });
    this.#end = offset + length;
  }
}

/** @param {number} code */
const unitsOf = (code) => (code > 0xffff ? 2 : 1);

/** @param {number} code */
const isHyphen = (code) => code === 0x2d || code === 0x2010 || code === 0xad;

/** @param {number} code */
const isWordCharacter = (code) => WORD_CHARACTER.test(String.fromCodePoint(code));

/**
 * Exactly the article's list; `\s` is another one.
 * @param {number} code
 */
function isWhitespace(code) {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x1680) return code === 0x85 || code === 0xa0;
  if (code >= 0x2000 && code <= 0x200a) return true;
  return [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff].includes(code);
}

/**
 * Not a control character, a lone surrogate or a noncharacter.
 * @param {number} code
 */
function isKept(code) {
  if (code < 0xa0) return code >= 0x20 && code < 0x7f;
  if (code >= 0xd800 && code <= 0xdfff) return false;
  return !(code >= 0xfdd0 && code <= 0xfdef) && (code & 0xfffe) !== 0xfffe;
}
