/** Strings by code points, as offsets in the text count. */

const SURROGATE = /[\ud800-\udfff]/;

/** @param {string} text */
export const codePoints = (text) => (SURROGATE.test(text) ? [...text].length : text.length);

/**
 * Slices by code points.
 * @param {string} text
 * @returns {(from: number, to: number) => string}
 */
export function slicer(text) {
  if (!SURROGATE.test(text)) return (from, to) => text.slice(from, to);
  const characters = [...text];
  return (from, to) => characters.slice(from, to).join("");
}
