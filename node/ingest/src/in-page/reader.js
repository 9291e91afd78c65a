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
      Array.from(nodes).filter((node, index) => standsInProse(node) && isJunk(node, index, nodes)),
    );
    return super._removeNodes(
      nodes,
      (node, index, all) => !isInside(node, kept) && isJunk(node, index, all),
    );
  }
};

// More than this is no box between paragraphs but a part of the page.
const LARGEST = 2_000;
// Empty elements that are looked past on the way to a neighbour.
const FEW = 20;

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
