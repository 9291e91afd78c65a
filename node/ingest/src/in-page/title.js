/**
 * @param {Document} copy
 * @param {string} found What Readability takes for the title.
 * @param {string} own What the page calls itself.
 */
export function titleOf(copy, found, own) {
  return meta(copy, "og:title") || collapse(found) || collapse(own);
}

/**
 * @param {Document} copy
 * @param {string} property
 */
function meta(copy, property) {
  const selector = `meta[property="${property}"],meta[name="${property}"]`;
  return collapse(copy.querySelector(selector)?.getAttribute("content"));
}

/** @param {string | null | undefined} text */
export const collapse = (text) => (text ?? "").replace(/\s+/g, " ").trim();
