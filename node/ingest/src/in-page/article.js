import { removeFurniture } from "./blocks.js";
import { attempt, finish, prepare } from "./capture.js";
import { copyOfHtml, inertCopy } from "./copy.js";
import { declaredText, isFoundIn, keepOnlyBody } from "./declared-body.js";
import { ignoreNames, keepNames } from "./names.js";
import { Reader, scoreFigures } from "./reader.js";
import { siteOf } from "./site.js";
import { servedInstead } from "./state.js";
import { collapse } from "./title.js";

/** @typedef {typeof import("../limits.mjs").LIMITS} Limits */

/**
 * `{title, content, text, base, complaints}` of the article, or `{problem}`.
 * @param {Limits} limits
 */
export function extractArticle(limits) {
  const problem = tooLarge(limits);
  if (problem) return { problem };
  const article =
    readServed(limits) ??
    readDeclared(() => inertCopy(true, limits)) ??
    read(inertCopy(false, limits));
  if (!article) return { problem: "empty", title: document.title };
  if (article.content.length > limits.contentChars) return { problem: "large" };
  return article;
}

/** @param {Limits} limits */
function readServed(limits) {
  const served = servedInstead();
  return served && read(copyOfHtml(served.html, limits));
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

/**
 * Where a page says which element its article is, and something else was found, that is read alone.
 * @param {() => Document} makeCopy
 */
function readDeclared(makeCopy) {
  const copy = makeCopy();
  const declared = declaredText(copy);
  const article = read(copy, declared);
  if (article || !declared) return article;
  const alone = makeCopy();
  keepOnlyBody(alone);
  return read(alone) ?? read(makeCopy());
}

/**
 * @param {Document} copy
 * @param {string} [declared] A text of which most has to be found.
 */
function read(copy, declared = "") {
  const site = siteOf(copy);
  const page = prepare(copy);
  attempt(page, "names", () => {
    keepNames(copy);
    ignoreNames(copy);
    scoreFigures(copy);
  });
  const article = new Reader(copy, { keepClasses: true, serializer: (root) => root }).parse();
  const root = article?.content;
  if (!root || !collapse(root.textContent)) return null;
  if (!isFoundIn(declared, root.textContent ?? "")) return null;
  attempt(page, "furniture", () => removeFurniture(root, site));
  for (const element of root.querySelectorAll("[class]")) element.removeAttribute("class");
  const complete = finish(page, root, article);
  const text = collapse(root.textContent).length;
  return { ...complete, content: root.innerHTML, text, base: copy.baseURI };
}

/** Reads a made-up page, so that the functions and patterns for the next one are compiled. */
export function warmUp() {
  const paragraph = "<p>Some words, and some more, so that there is something to read here.</p>";
  const html = `<title>Words</title><article><h2>Words</h2>${paragraph.repeat(20)}<p>More</p></article>`;
  return read(new DOMParser().parseFromString(html, "text/html")) !== null;
}
