import { MARK } from "./kept.js";
import { isInside, SENTENCE, textOf, weigh } from "./measure.js";
import { isNamedFurniture } from "./names.js";

/**
 * Readability, except that its last cleaning leaves prose alone that stands between paragraphs of
 * the article: linked paragraphs, quoted posts, boxes about a product.
 */
export const Reader = class extends Readability {
  #conditional = false;

  /**
   * @override
   * @param {Element} root
   * @param {string} tag
   */
  _cleanConditionally(root, tag) {
    this.#conditional = tag === "div" || tag === "table" || tag === "ul";
    super._cleanConditionally(root, tag);
    this.#conditional = false;
  }

  /**
   * @override
   * @param {ArrayLike<Element>} nodes
   * @param {(node: Element, index: number, nodes: ArrayLike<Element>) => boolean} [filter]
   */
  _removeNodes(nodes, filter) {
    if (!filter || !this.#conditional) return super._removeNodes(nodes, filter);
    /** @type {typeof filter} */
    const isJunk = (node, index, all) => filter.call(this, node, index, all);
    // Seen before any of their parts is gone: a quote without its source would be too short.
    const kept = new Set(
      Array.from(nodes).filter((node, index) => isContent(node) && isJunk(node, index, nodes)),
    );
    return super._removeNodes(
      nodes,
      (node, index, all) => !isInside(node, kept) && isJunk(node, index, all),
    );
  }
};

// Above every threshold that Readability sets for what stands beside the text.
const MUCH = 1_000_000;

/**
 * Figures with a caption that stand beside the parts of a text, and not in one of them, would not be
 * taken along: Readability joins only parts with a score.
 * @param {Document} copy
 */
export function scoreFigures(copy) {
  for (const figure of copy.querySelectorAll("figure")) {
    const caption = figure.querySelector("figcaption");
    if (!caption || figure.closest("a,li,aside") || isNamedFurniture(figure)) continue;
    if (caption.querySelector("h1,h2,h3,h4,h5,h6") || !textOf(caption)) continue;
    if (!figure.querySelector(`:scope :not(figcaption) img, :scope > img, [${MARK}]`)) continue;
    const box = copy.createElement("div");
    figure.replaceWith(box);
    box.append(figure);
    Object.assign(box, { readability: { contentScore: MUCH } });
  }
}

// More than this is no box between paragraphs but a part of the page.
const LARGEST = 2_000;
// Empty elements that are looked past on the way to a neighbour.
const FEW = 20;

/** @param {Element} node */
function isContent(node) {
  return (
    node.closest("figcaption,dd,blockquote") !== null || isCaptioned(node) || standsInProse(node)
  );
}

/**
 * Whether a box holds a figure with its caption and little else, beside a paragraph.
 * @param {Element} node
 */
function isCaptioned(node) {
  const { length } = textOf(node);
  if (length > LARGEST) return false;
  const captions = lengthOf(node.querySelectorAll("figure figcaption"));
  const others = length - captions - lengthOf(node.querySelectorAll(`[${MARK}]`));
  if (captions === 0 || others > captions / 4 || isNamedFurniture(node)) return false;
  return (
    isProse(neighbour(node, "previousElementSibling")) ||
    isProse(neighbour(node, "nextElementSibling"))
  );
}

/** @param {NodeListOf<Element>} elements */
function lengthOf(elements) {
  return Array.from(elements).reduce((sum, element) => sum + textOf(element).length, 0);
}

/** @param {Element} node */
function standsInProse(node) {
  if (
    !isProse(node) ||
    weigh(textOf(node)) > LARGEST ||
    isNamedFurniture(node) ||
    node.querySelector("input,select,textarea")
  ) {
    return false;
  }
  return (
    isProse(neighbour(node, "previousElementSibling")) &&
    isProse(neighbour(node, "nextElementSibling"))
  );
}

/** @param {Element | null} element */
function isProse(element) {
  if (!element) return false;
  const text = textOf(element);
  const links = Array.from(element.querySelectorAll("a[href]"), (link) => textOf(link).length);
  const linked = links.reduce((sum, length) => sum + length, 0);
  return weigh(text) >= 80 && linked < text.length / 2 && SENTENCE.test(text);
}

/**
 * The next element with text beside this one or, at the end of its parent, beside that.
 * @param {Element} element
 * @param {"previousElementSibling" | "nextElementSibling"} side
 */
function neighbour(element, side) {
  /** @type {Element | null} */
  let from = element;
  for (let level = 0; from && level < 3; level++) {
    let next = from[side];
    for (let empty = 0; next && !textOf(next) && empty < FEW; empty++) next = next[side];
    if (next) return next;
    from = from.parentElement;
  }
  return null;
}
