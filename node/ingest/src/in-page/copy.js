import { markUnseen } from "./embeds.js";
import { isSpokenFormula } from "./formulas.js";

/** @typedef {typeof import("../limits.mjs").LIMITS} Limits */

const CONSENT =
  "#onetrust-consent-sdk,#CybotCookiebotDialog,#didomi-host,#usercentrics-root,#truste-consent-track," +
  ".fc-consent-root,.qc-cmp2-container,.cc-window[role=dialog],[id^=sp_message_container]";

/**
 * A copy without a window: nothing in it loads or runs. Shadow trees are flattened into it.
 * @param {boolean} visibleOnly
 * @param {Limits} limits
 */
export function inertCopy(visibleOnly, limits) {
  const copy = document.implementation.createHTMLDocument("");
  copy.replaceChild(copyElement(document.documentElement, copy, visibleOnly), copy.documentElement);
  return completed(copy, limits);
}

/**
 * The same of a page's HTML. Nothing is known about what of it would be seen.
 * @param {string} html
 * @param {Limits} limits
 */
export function copyOfHtml(html, limits) {
  return completed(new DOMParser().parseFromString(html, "text/html"), limits);
}

/**
 * @param {Document} copy
 * @param {Limits} limits
 */
function completed(copy, limits) {
  for (const element of copy.querySelectorAll("*")) trim(element, limits.attributes);
  // Readability needs both halves even of a page that has scripted one of them away.
  if (!copy.head) copy.documentElement.prepend(copy.createElement("head"));
  if (!copy.body) copy.documentElement.append(copy.createElement("body"));
  for (const banner of copy.querySelectorAll(CONSENT)) banner.remove();
  Object.defineProperty(copy, "baseURI", { value: document.baseURI });
  Object.defineProperty(copy, "documentURI", { value: document.documentURI });
  return copy;
}

/**
 * No element needs so many attributes, and those who read it later pay for each pair of them.
 * @param {Element} element
 * @param {number} most
 */
function trim(element, most) {
  const { attributes } = element;
  while (attributes.length > most) element.removeAttributeNode(attributes[attributes.length - 1]);
}

/**
 * @param {Element} element
 * @param {Document} copy
 * @param {boolean} visibleOnly
 * @returns {Element}
 */
function copyElement(element, copy, visibleOnly) {
  const clone = copy.importNode(element, false);
  if (visibleOnly) markUnseen(element, clone);
  if (element.localName === "noscript") {
    // With scripts on its content is one text; read as it would be with scripts off.
    clone.innerHTML = element.textContent;
    return clone;
  }
  const invisible = visibleOnly && getComputedStyle(element).visibility !== "visible";
  for (const node of shownChildren(element)) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!invisible || !node.data.trim()) clone.append(node.data);
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      if (!(visibleOnly && isHidden(node))) clone.append(copyElement(node, copy, visibleOnly));
    }
  }
  return clone;
}

/** @param {Element} element */
function shownChildren(element) {
  const root = element.shadowRoot;
  if (root) return Array.from(root.childNodes).flatMap(slotted);
  return Array.from(element.childNodes).flatMap(slotted);
}

/** @param {any} node A node of any type; only a slot has what is read of it. */
function slotted(node) {
  if (node.localName !== "slot") return [node];
  const assigned = node.assignedNodes({ flatten: true });
  return assigned.length > 0 ? assigned : Array.from(node.childNodes);
}

const UNSEEN = new Set([
  "head",
  "script",
  "style",
  "noscript",
  "template",
  "title",
  "meta",
  "link",
  "base",
]);

/**
 * Hidden text is dropped; hidden images stay: lazy loaders hide them until they are near.
 * @param {Element} element
 */
function isHidden(element) {
  if (UNSEEN.has(element.localName) || element.closest("head")) return false;
  if (isSpokenFormula(element)) return false;
  return getComputedStyle(element).display === "none" && element.textContent.trim() !== "";
}
