/**
 * How much text an element holds, and how much of it is the text of links that lead away.
 * @typedef {{text: number, linked: number}} Measure
 */

const BLOCKS = new Set(
  (
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset " +
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main nav ol p pre section " +
    "summary table tbody td tfoot th thead tr ul"
  ).split(" "),
);

/** The end of a sentence. */
export const SENTENCE = /[.!?…。！？؟।։။።]["'”’»」』)\]]*(?:\s|$)/;

/** @param {Element} element */
export const isBlock = (element) => BLOCKS.has(element.localName);

/** @param {Node} node */
export const textOf = (node) => (node.textContent ?? "").replace(/\s+/g, " ").trim();

/**
 * The length of a text; a character of a script that needs few counts as three.
 * @param {string} text
 */
export function weigh(text) {
  const dense = text.match(/[\u0e00-\u0e7f\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g);
  return text.replace(/\s+/g, " ").trim().length + 2 * (dense?.length ?? 0);
}

/**
 * @param {Element} element
 * @param {Set<Element>} boxes
 */
export function isInside(element, boxes) {
  for (let up = /** @type {Element | null} */ (element); up; up = up.parentElement) {
    if (boxes.has(up)) return true;
  }
  return false;
}

/**
 * The measures of every element, and the innermost blocks that hold text, from one walk.
 * @param {Element} root
 */
export function measure(root) {
  /** @type {Map<Element, Measure>} */
  const measures = new Map();
  /** @type {Element[]} */
  const leaves = [];
  /**
   * @param {Element} element
   * @param {boolean} inLink
   * @returns {Measure}
   */
  const walk = (element, inLink) => {
    const inside = inLink || leadsAway(element);
    const before = leaves.length;
    const sum = { text: 0, linked: 0 };
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        const text = weigh(node.nodeValue ?? "");
        sum.text += text;
        if (inside) sum.linked += text;
      } else if (node.nodeType === Node.ELEMENT_NODE) {
        const part = walk(/** @type {Element} */ (node), inside);
        sum.text += part.text;
        sum.linked += part.linked;
      }
    }
    if (sum.text > 0 && isBlock(element) && leaves.length === before) leaves.push(element);
    measures.set(element, sum);
    return sum;
  };
  walk(root, false);
  return { measures, leaves };
}

/** @param {Element} element */
function leadsAway(element) {
  if (element.localName !== "a") return false;
  const href = element.getAttribute("href") ?? "";
  return href !== "" && !href.startsWith("#");
}
