/**
 * Readability replaces elements by others and drops empty ones, and their ids with them. So that links
 * inside the page still lead somewhere, each target gets a mark of its own in front of its text.
 */

const MOST_STEPS = 200;

/** @param {Document} copy */
export function keepTargets(copy) {
  const here = withoutHash(copy.documentURI);
  const links = new Map();
  for (const link of copy.querySelectorAll('a[href*="#"]')) {
    const id = idOf(link, copy.baseURI, here);
    if (!id) continue;
    links.set(id, links.get(id) || isNoteReference(link));
  }
  if (links.size === 0) return;
  for (const target of copy.body.querySelectorAll("[id],a[name]")) {
    const id = [target.id, target.getAttribute("name")].find((name) => name && links.has(name));
    if (!id) continue;
    markTarget(target, id);
    if (links.get(id)) keepNotes(target);
    links.delete(id);
  }
}

/**
 * Readability resolves links; those inside the page are written as such again.
 * @param {Element} root
 * @param {Document} copy
 */
export function shortenLocalLinks(root, copy) {
  const here = withoutHash(copy.documentURI);
  for (const link of root.querySelectorAll('a[href*="#"]')) {
    const [address, hash] = (link.getAttribute("href") ?? "").split("#");
    if (address === here && hash) link.setAttribute("href", `#${hash}`);
  }
}

/** @param {string} address */
const withoutHash = (address) => address.split("#", 1)[0];

/**
 * @param {Element} link
 * @param {string} base
 * @param {string} here
 */
function idOf(link, base, here) {
  const href = link.getAttribute("href") ?? "";
  try {
    const url = new URL(href, base);
    if (withoutHash(url.href) !== here || url.hash.length < 2) return null;
    return decodeURIComponent(url.hash.slice(1));
  } catch {
    return null;
  }
}

/**
 * @param {Element} target
 * @param {string} id
 */
function markTarget(target, id) {
  const mark = target.ownerDocument.createElement("span");
  mark.id = id;
  firstContent(target)?.before(mark);
}

/**
 * The first text or picture in an element or after it.
 * @param {Element} target
 * @returns {any}
 */
function firstContent(target) {
  const walker = target.ownerDocument.createTreeWalker(
    target.ownerDocument.body,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
  );
  walker.currentNode = target;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const node = walker.currentNode;
    if (node.nodeName === "IMG") return node;
    if (node.nodeName === "#text" && node.textContent?.trim() && !isUnread(node.parentElement))
      return node;
    if (!walker.nextNode()) return null;
  }
  return null;
}

/** @param {Element | null} parent */
const isUnread = (parent) => /^(script|style|noscript|template)$/.test(parent?.localName ?? "");

/** @param {Element} link */
function isNoteReference(link) {
  if (link.closest("sup") || link.querySelector("sup")) return true;
  if (/noteref/.test(link.getAttribute("role") ?? "")) return true;
  return /^\W{0,2}(\d{1,3}|[*\u2020\u2021\u00a7])\W{0,2}$/.test(link.textContent?.trim() ?? "");
}

/**
 * Readability drops asides and footers; notes that the text refers to are part of it.
 * @param {Element} target
 */
function keepNotes(target) {
  const around = target.closest("aside,footer");
  if (!around || around.matches("body > footer")) return;
  const section = around.ownerDocument.createElement("div");
  if (around.id) section.id = around.id;
  while (around.firstChild) section.append(around.firstChild);
  around.replaceWith(section);
}
