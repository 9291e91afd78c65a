import { FACADES, FRAMES, linkOf } from "./embed-links.js";
import { keep } from "./kept.js";
import { webUrl } from "./players.js";

/** @typedef {import("./kept.js").Kept} Kept */
/** @typedef {import("./embed-links.js").Link} Link */

const MOST_CHARS = 300;

/**
 * Marks on the copy that a frame or player cannot be seen on the page: it is no part of the article.
 * @param {Element} element
 * @param {Element} clone
 */
export function markUnseen(element, clone) {
  if (!element.matches(FRAMES)) return;
  const { width, height, right, bottom } = element.getBoundingClientRect();
  // Players have no size before their pictures and films, which are not loaded here.
  const tiny = element.matches("video,audio") ? false : width <= 2 || height <= 2;
  const away = right + scrollX < 0 || bottom + scrollY < 0;
  if (tiny || away || !element.checkVisibility({ visibilityProperty: true })) {
    clone.setAttribute("hidden", "");
  }
}

/**
 * What cannot be shown in an article leaves a link in its place.
 * @param {Document} copy
 * @param {Kept[]} kept
 */
export function keepEmbeds(copy, kept) {
  const told = new Set();
  const base = copy.baseURI;
  const spare = [];
  for (const element of copy.querySelectorAll(`${FRAMES},${FACADES}`)) {
    if (element.closest("noscript")) spare.push(element);
    else told.add(keepEmbed(element, base, kept));
  }
  for (const element of spare) keepSpare(element, base, kept, told);
}

/**
 * What is there for readers without scripts, unless scripts showed it already.
 * @param {Element} element
 * @param {string} base
 * @param {Kept[]} kept
 * @param {Set<string>} told
 */
function keepSpare(element, base, kept, told) {
  const link = linkOf(element, base);
  if (!link || told.has(link.href)) return;
  const noscript = element.closest("noscript");
  noscript?.before(element);
  placeLink(element, link, kept);
  told.add(link.href);
}

/**
 * @param {Element} element
 * @param {string} base
 * @param {Kept[]} kept
 */
function keepEmbed(element, base, kept) {
  // Inside one that was taken whole.
  if (!element.isConnected) return null;
  if (element.matches("object") && isImage(element)) return replaceByImage(element, base);
  const link = linkOf(element, base);
  if (link) placeLink(element, link, kept);
  return link?.href;
}

/**
 * @param {Element} element
 * @param {Link} link
 * @param {Kept[]} kept
 */
export function placeLink(element, link, kept) {
  const inFigure = Boolean(element.closest("figure"));
  const final = asElement(element.ownerDocument, link, inFigure);
  // A sentence without a link: Readability keeps it wherever it keeps the paragraphs around it.
  const text = link.what.startsWith("Embedded") ? "Embedded page" : `${link.what}.`;
  keep(kept, element, { final, block: true, text });
}

/**
 * @param {Document} copy
 * @param {Link} link
 * @param {boolean} inFigure
 */
function asElement(copy, { what, href, title, poster }, inFigure) {
  const anchor = copy.createElement("a");
  anchor.setAttribute("href", href);
  anchor.textContent = title ? `${what}: ${title}` : what;
  const paragraph = copy.createElement("p");
  paragraph.append(anchor);
  if (!poster) return paragraph;
  const picture = copy.createElement("img");
  picture.setAttribute("src", poster);
  picture.setAttribute("alt", "");
  const around = copy.createElement(inFigure ? "div" : "figure");
  const caption = copy.createElement(inFigure ? "p" : "figcaption");
  caption.append(anchor);
  around.append(picture, caption);
  return around;
}

/** @param {Element} element */
function isImage(element) {
  const address = element.getAttribute("data") ?? "";
  return (
    /^image\//.test(element.getAttribute("type") ?? "") ||
    /\.(svg|png|jpe?g|gif|webp)$/i.test(address)
  );
}

/**
 * @param {Element} element
 * @param {string} base
 */
function replaceByImage(element, base) {
  const image = element.ownerDocument.createElement("img");
  image.setAttribute("src", webUrl(element.getAttribute("data"), base)?.href ?? "");
  image.setAttribute(
    "alt",
    element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, MOST_CHARS) ?? "",
  );
  element.replaceWith(image);
  return null;
}
