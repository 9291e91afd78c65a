import { sameWords } from "./title.js";

/** What a page itself marks as its article: one of several, and the body of it. */

const BODY = '[itemprop~="articleBody" i]';
/** Less than this is a teaser. */
const LEAST_CHARS = 500;
const MOST_ARTICLES = 100;
const MOST_HEADINGS = 20;
/** @type {Record<string, string>} */
const LEVELS = { h1: "h1", h2: "h1,h2", h3: "h1,h2,h3" };

/** @param {Element} element */
const charsOf = (element) => (element.textContent ?? "").replace(/\s+/g, " ").length;

/**
 * Other articles below the page's own, as sites append them for readers who scroll on.
 * @param {Document} copy
 * @param {string[]} titles
 */
export function removeOtherArticles(copy, titles) {
  const articles = Array.from(copy.querySelectorAll("article"))
    .slice(0, MOST_ARTICLES)
    .filter((article) => !article.parentElement?.closest("article"))
    .filter((article) => charsOf(article) >= LEAST_CHARS);
  const wanted = new Set(titles.map(sameWords).filter(Boolean));
  const found = articles.flatMap((article) => {
    const headings = Array.from(article.querySelectorAll("h1,h2,h3")).slice(0, MOST_HEADINGS);
    const title = headings.find((heading) => wanted.has(sameWords(heading.textContent ?? "")));
    return title ? [{ own: article, level: title.localName }] : [];
  });
  if (found.length !== 1) return;
  const [{ own, level }] = found;
  for (const article of articles) {
    // Parts of the same article, such as posts of a live report, have headings of a lower level.
    if (article !== own && article.querySelector(LEVELS[level])) article.remove();
  }
}

/**
 * The one element that is marked as the body of the article.
 * @param {ParentNode} root
 */
function bodyOf(root) {
  const [body, other] = root.querySelectorAll(BODY);
  return body && !other ? body : null;
}

/**
 * The text of that, for when it was not found.
 * @param {Document} copy
 */
export function declaredText(copy) {
  const body = bodyOf(copy);
  return body?.querySelector("p") ? (body.textContent ?? "") : "";
}

const SAMPLE_CHARS = 60;

/**
 * Whether most of a text is in another one.
 * @param {string} text
 * @param {string} found
 */
export function isFoundIn(text, found) {
  const [all, wanted] = [sameWords(found), sameWords(text)];
  let there = 0;
  let samples = 0;
  const step = Math.max(SAMPLE_CHARS, Math.floor(wanted.length / 20));
  for (let at = 0; at + SAMPLE_CHARS <= wanted.length; at += step) {
    samples += 1;
    if (all.includes(wanted.slice(at, at + SAMPLE_CHARS))) there += 1;
  }
  return there >= samples / 2;
}

/**
 * Leaves nothing on the page but the body of its article.
 * @param {Document} copy
 */
export function keepOnlyBody(copy) {
  const body = bodyOf(copy);
  if (!body) return;
  const alone = copy.createElement("article");
  alone.append(...body.childNodes);
  copy.body.replaceChildren(alone);
}

/**
 * What stands below the body of an article, where that holds most of the text.
 * @param {Element} article
 * @param {(element: Element) => import("./measure.js").Measure} of
 */
export function belowBody(article, of) {
  const body = bodyOf(article);
  if (!body || of(body).text < 0.7 * of(article).text) return [];
  const below = [];
  for (let up = /** @type {Element} */ (body); up !== article; ) {
    for (let next = up.nextElementSibling; next; next = next.nextElementSibling) {
      if (of(next).text > 0 && !next.querySelector("figure") && !next.matches("figure")) {
        below.push(next);
      }
    }
    if (!up.parentElement) break;
    up = up.parentElement;
  }
  return below;
}
