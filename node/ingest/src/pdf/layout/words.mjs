/**
 * What the words of a line tell: whether something begins, ends or goes on. Every line is asked
 * several times, so plain letters are answered for without looking further.
 */

/** @param {number} code */
const isLowerCase = (code) => code >= 0x61 && code <= 0x7a;

/** @param {string} text */
const endsWithLetter = (text) => isLowerCase(text.charCodeAt(text.length - 1) | 0x20);

const BULLETS = "•◦▪▫■□●○◆◇►▸‣⁃∙➢➤✓✔❖";
/** These may be in the middle of a sentence as well. */
const DASHES = "·*–—-";
const REFERENCE = "\\[\\p{L}{0,6}\\d{1,4}\\p{L}?\\]";
const NUMBER = "\\(?(?:\\d{1,3}|\\p{L}|[ivxIVX]{1,5})[.)]|\\d{1,2}(?:\\.\\d{1,2}){1,4}\\.?";
const LIST_MARK = new RegExp(`^(?:[${BULLETS}${DASHES}]|${REFERENCE}|${NUMBER})$`, "u");
const LONGEST_MARK = 14;

/**
 * A bullet, or the number of an item.
 * @param {string} text
 */
export const isListMark = (text) =>
  text.length <= LONGEST_MARK && !endsWithLetter(text) && LIST_MARK.test(text);

/** @param {string} text */
export function firstWord(text) {
  const end = text.indexOf(" ");
  return end < 0 ? text : text.slice(0, end);
}

const CAPTION = "(?:Fig\\.|Figure|Table|Listing|Algorithm|Abbildung|Tabelle|Tableau)";
const APART = new RegExp(
  `^(?:[${BULLETS}]|${REFERENCE}\\s|(?:${CAPTION}|${CAPTION.toUpperCase()})\\s+[\\dIVX]+[.:])`,
  "u",
);

/**
 * Lines that begin so are never in the middle of a paragraph.
 * @param {string} text
 */
export const startsApart = (text) => !isLowerCase(text.charCodeAt(0)) && APART.test(text);

/**
 * Whether it begins like an item of a list; a number may also be in the middle of a sentence.
 * @param {string} text
 */
export function startsLikeItem(text) {
  const word = firstWord(text);
  return word.length < text.length && isListMark(word);
}

const ENDS_SENTENCE = /[.!?:;。！？：；…۔؟][)\]"'”’»」』\d*†‡]*$/u;
/** @param {string} text */
export const endsSentence = (text) => !endsWithLetter(text) && ENDS_SENTENCE.test(text.slice(-8));

const LOWER_CASE = /^["'“‘«([]?\p{Ll}/u;
/** @param {string} text */
export const startsInside = (text) => isLowerCase(text.charCodeAt(0)) || LOWER_CASE.test(text);

const HYPHEN_END = /\p{L}[-\u2010\u00ad]$/u;
/** @param {string} text */
export const endsWithHyphen = (text) => !endsWithLetter(text) && HYPHEN_END.test(text.slice(-3));

/**
 * Letters and digits only, for comparing a label with what is printed.
 * @param {string} text
 */
export const bare = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

const PAGE_AT_END = /(?:\s|\.{2,}|…)(?:\d{1,4}|[ivxl]{1,7})$/;
/**
 * A line of a table of contents or an index.
 * @param {string} text
 */
export const endsWithPage = (text) => PAGE_AT_END.test(text.slice(-10));

const INDEX_ENTRY = /,\s\d[\d\u2013n-]*$/;
/**
 * The end of an entry of an index, and something else than more page numbers after it.
 * @param {string} before
 * @param {string} text
 */
export const isNextEntry = (before, text) =>
  INDEX_ENTRY.test(before.slice(-20)) && !/^\d/.test(text);

/**
 * Whether a line that is set in goes on with the sentence before.
 * @param {string} before
 * @param {string} text
 */
export const goesOn = (before, text) =>
  !endsSentence(before) && (startsInside(text) || /^\d/.test(text));
