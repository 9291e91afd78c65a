/*
 * Runs inside the page, in a world of its own that the page's scripts cannot see or change.
 * `Readability` is in scope. Works on an inert copy of the page, so no code of the page runs.
 */

/** @typedef {typeof import("./limits.mjs").LIMITS} Limits */

const CONSENT =
  "#onetrust-consent-sdk,#CybotCookiebotDialog,#didomi-host,#usercentrics-root,#truste-consent-track," +
  ".fc-consent-root,.qc-cmp2-container,.cc-window[role=dialog],[id^=sp_message_container]";

/** What kind of document this is, how much article-like text it has, and whether a script could still add some. */
// biome-ignore lint/correctness/noUnusedVariables: called by name from Node
function textState() {
  let chars = 0;
  for (const block of document.querySelectorAll("p,li,pre,blockquote,td,article div")) {
    for (const node of block.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) chars += (node.textContent ?? "").trim().length;
    }
  }
  const dynamic = Array.from(document.scripts).some(
    ({ type }) => !type || type === "module" || /javascript|ecmascript/i.test(type),
  );
  return { type: document.contentType, chars, dynamic };
}

/**
 * `{title, content, text, base}` of the article, or `{problem}`.
 * @param {Limits} limits
 */
// biome-ignore lint/correctness/noUnusedVariables: called by name from Node
function extractArticle(limits) {
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

/**
 * A copy without a window: nothing in it loads or runs. Shadow trees are flattened into it.
 * @param {boolean} visibleOnly
 * @param {Limits} limits
 */
function inertCopy(visibleOnly, limits) {
  const copy = document.implementation.createHTMLDocument("");
  copy.replaceChild(copyElement(document.documentElement, copy, visibleOnly), copy.documentElement);
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
  return getComputedStyle(element).display === "none" && element.textContent.trim() !== "";
}
