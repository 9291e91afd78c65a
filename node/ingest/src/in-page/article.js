import { inertCopy } from "./copy.js";

/** @typedef {typeof import("../limits.mjs").LIMITS} Limits */

/**
 * `{title, content, text, base}` of the article, or `{problem}`.
 * @param {Limits} limits
 */
export function extractArticle(limits) {
  const problem = tooLarge(limits);
  if (problem) return { problem };
  const article = read(inertCopy(true, limits)) ?? read(inertCopy(false, limits));
  if (!article) return { problem: "empty", title: document.title };
  if (article.content.length > limits.contentChars) return { problem: "large" };
  return article;
}

/** @param {Limits} limits */
function tooLarge({ elements, depth }) {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
  let count = 0;
  let level = 0;
  let node = walker.firstChild();
  while (node) {
    count += 1;
    if (count > elements) return "large";
    if (level > depth) return "deep";
    let next = walker.firstChild();
    if (next) level += 1;
    while (!next) {
      next = walker.nextSibling();
      if (next) break;
      if (!walker.parentNode()) return null;
      level -= 1;
    }
    node = next;
  }
  return null;
}

/** @param {Document} copy */
function read(copy) {
  const social = meta(copy, "og:title");
  const own = collapse(copy.title);
  const article = new Readability(copy).parse();
  const text = collapse(article?.textContent);
  if (!article?.content || !text) return null;
  const title = social || collapse(article.title) || own;
  return { title, content: article.content, text: text.length, base: copy.baseURI };
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
const collapse = (text) => (text ?? "").replace(/\s+/g, " ").trim();
