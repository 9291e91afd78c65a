/** What the words of a line tell: whether something begins, ends or goes on. */

const BULLET = /^[•◦▪▫■□●○◆◇►▸‣⁃∙·➢➤✓✔❖*–—-]$/u;
const NUMBER =
  /^(?:\(?(?:\d{1,3}|\p{L}|[ivxIVX]{1,5})[.)]|\[\p{L}{0,6}\d{1,4}\p{L}?\]|\d{1,2}(?:\.\d{1,2}){1,4}\.?)$/u;

/**
 * A bullet, or the number of an item.
 * @param {string} text
 */
export const isListMark = (text) => BULLET.test(text) || NUMBER.test(text);

const FIRST_WORD = /^\S+/;
/** @param {string} text */
export const firstWord = (text) => FIRST_WORD.exec(text)?.[0] ?? "";

const SURE_BULLET = /^[•◦▪▫■□●○◆◇►▸‣⁃∙➢➤✓✔❖]/u;
/** @param {string} text */
export const startsWithBullet = (text) => SURE_BULLET.test(text);

const REFERENCE = /^\[\p{L}{0,6}\d{1,4}\p{L}?\]\s/u;
const CAPTION =
  /^(?:figure|fig\.|table|listing|algorithm|abbildung|tabelle|tableau)\s+[\dIVX]+[.:]/iu;
/** Lines that begin so are never in the middle of a paragraph. */
/** @param {string} text */
export const startsApart = (text) =>
  SURE_BULLET.test(text) || REFERENCE.test(text) || CAPTION.test(text);

/**
 * A dash or a number may also be in the middle of a sentence.
 * @param {string} text
 */
export function startsLikeItem(text) {
  const word = firstWord(text);
  return word.length < text.length && isListMark(word);
}

const ENDS_SENTENCE = /[.!?:;。！？：；…۔؟][)\]"'”’»」』\d*†‡]*$/u;
/** @param {string} text */
export const endsSentence = (text) => ENDS_SENTENCE.test(text);

const LOWER_CASE = /^["'“‘«([]?\p{Ll}/u;
/** @param {string} text */
export const startsInside = (text) => LOWER_CASE.test(text);

const HYPHEN_END = /\p{L}[-\u2010\u00ad]$/u;
/** @param {string} text */
export const endsWithHyphen = (text) => HYPHEN_END.test(text);

/** Letters and digits only, for comparing a label with what is printed. */
/** @param {string} text */
export const bare = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

const PAGE_AT_END = /(?:\s|\.{2,}|…)(?:\d{1,4}|[ivxl]{1,7})$/;
/**
 * A line of a table of contents or an index.
 * @param {string} text
 */
export const endsWithPage = (text) => PAGE_AT_END.test(text);

const INDEX_ENTRY = /,\s\d[\d\u2013n-]*$/;
/**
 * The end of an entry of an index, and something else than more page numbers after it.
 * @param {string} before
 * @param {string} text
 */
export const isNextEntry = (before, text) => INDEX_ENTRY.test(before) && !/^\d/.test(text);

/**
 * Whether a line that is set in goes on with the sentence before.
 * @param {string} before
 * @param {string} text
 */
export const goesOn = (before, text) =>
  !endsSentence(before) && (startsInside(text) || /^\d/.test(text));
