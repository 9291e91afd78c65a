import { keep } from "./kept.js";

/** @typedef {import("./kept.js").Kept} Kept */
/** @typedef {{math?: Element | null, tex?: string | null, display: boolean}} Formula */

const MATHML = "http://www.w3.org/1998/Math/MathML";
const SCRIPTS = 'script[type^="math/tex"],script[type^="math/mml"],script[type^="math/asciimath"]';
const FRAMES =
  ".MathJax,.MathJax_Display,.MathJax_SVG,.MathJax_SVG_Display,.MathJax_CHTML,.mjx-chtml";
const HIDDEN = ".mwe-math-mathml-a11y,.katex-mathml,mjx-assistive-mml,.MJX_Assistive_MathML";
const MOST_CHARS = 10_000;

/**
 * Whether an element is the MathML that a formula keeps for screen readers beside what it shows.
 * @param {Element} element
 */
export const isSpokenFormula = (element) =>
  element.namespaceURI === MATHML || element.matches(HIDDEN);

/**
 * Each formula stays once: as MathML where the page has it, else as its TeX.
 * @param {Document} copy
 * @param {Kept[]} kept
 */
export function keepFormulas(copy, kept) {
  /** @type {(place: Element, formula: Formula) => void} */
  const take = (place, formula) => takeFormula(place, formula, kept);
  for (const script of copy.querySelectorAll(SCRIPTS)) take(script, fromScript(script));
  for (const wiki of copy.querySelectorAll(".mwe-math-element")) take(wiki, fromWiki(wiki));
  for (const place of copy.querySelectorAll("span.katex-display,span.katex"))
    take(place, fromKatex(place));
  for (const place of copy.querySelectorAll("mjx-container")) take(place, fromMathJax(place));
  for (const frame of copy.querySelectorAll("[data-mathml]")) take(frame, fromFrame(frame));
  for (const math of copy.querySelectorAll("math")) {
    take(math, { math, display: math.getAttribute("display") === "block" });
  }
  for (const image of copy.querySelectorAll("img")) {
    const tex = texOfImage(image);
    if (tex) take(image, { tex, display: false });
  }
}

/**
 * @param {Element} place
 * @param {Formula} formula
 * @param {Kept[]} kept
 */
function takeFormula(place, { math, tex, display }, kept) {
  // Inside a formula that was taken whole.
  if (!place.isConnected) return;
  const text = cleanTex(tex ?? "");
  const final = math?.textContent?.trim()
    ? cleanMath(math, display)
    : code(place.ownerDocument, text);
  if (!final) return;
  const own = display && final.localName === "code";
  const block = own ? place.ownerDocument.createElement("p") : final;
  if (own) block.append(final);
  keep(kept, place, { final: block, block: display, text: final.textContent || text });
}

/**
 * @param {Document} copy
 * @param {string} tex
 */
function code(copy, tex) {
  if (!tex) return null;
  const element = copy.createElement("code");
  element.textContent = tex;
  return element;
}

/**
 * The presentation alone: annotations would be read as a second formula.
 * @param {Element} math
 * @param {boolean} display
 */
function cleanMath(math, display) {
  const final = /** @type {Element} */ (math.cloneNode(true));
  for (const note of final.querySelectorAll("annotation,annotation-xml")) note.remove();
  for (const both of final.querySelectorAll("semantics")) both.replaceWith(...both.childNodes);
  for (const { name } of Array.from(final.attributes)) {
    if (name !== "dir" && name !== "alttext") final.removeAttribute(name);
  }
  if (display) final.setAttribute("display", "block");
  return final;
}

/**
 * `$x$`, `\(x\)`, `\[x\]` or `{\displaystyle x}` without what is around it.
 * @param {string} tex
 */
function cleanTex(tex) {
  const text = tex.slice(0, MOST_CHARS).trim();
  const inner =
    /^\$\$?([^$]+)\$\$?$/.exec(text) ??
    /^\\[[(](.*)\\[\])]$/s.exec(text) ??
    /^\{\\(?:display|text)style\b(.*)\}$/s.exec(text);
  return (inner ? inner[1] : text).trim();
}

/**
 * What MathJax 2 read, with what it made of it in front.
 * @param {Element} script
 * @returns {Formula}
 */
function fromScript(script) {
  const type = script.getAttribute("type") ?? "";
  const source = script.textContent ?? "";
  /** @type {Element | null} */
  let math = type.startsWith("math/mml") ? parseMath(script.ownerDocument, source) : null;
  let before = script.previousElementSibling;
  while (before?.matches(`.MathJax_Preview,.MathJax_Error,${FRAMES}`)) {
    math ??= mathOfFrame(before);
    const done = before;
    before = before.previousElementSibling;
    done.remove();
  }
  return {
    math,
    tex: type.startsWith("math/mml") ? "" : source,
    display: /mode\s*=\s*display/.test(type),
  };
}

/**
 * @param {Element} frame
 * @returns {Element | null}
 */
function mathOfFrame(frame) {
  const kept = frame.matches("[data-mathml]") ? frame : frame.querySelector("[data-mathml]");
  const source = kept?.getAttribute("data-mathml");
  return frame.querySelector("math") ?? (source ? parseMath(frame.ownerDocument, source) : null);
}

/**
 * @param {Document} copy
 * @param {string} source
 */
function parseMath(copy, source) {
  const holder = copy.createElement("template");
  holder.innerHTML = source;
  return holder.content.querySelector("math");
}

/**
 * @param {Element} frame
 * @returns {Formula}
 */
function fromFrame(frame) {
  return {
    math: mathOfFrame(frame),
    display: Boolean(frame.closest(".MathJax_Display,.MathJax_SVG_Display")),
  };
}

/**
 * @param {Element} place
 * @returns {Formula}
 */
function fromWiki(place) {
  const math = place.querySelector("math");
  const image = place.querySelector("img");
  const display =
    math?.getAttribute("display") === "block" ||
    Boolean(place.querySelector(".mwe-math-fallback-image-display"));
  return { math, tex: image?.getAttribute("alt") || math?.getAttribute("alttext"), display };
}

/**
 * @param {Element} place
 * @returns {Formula}
 */
function fromKatex(place) {
  // A class of this name around more than a formula.
  if (place.querySelector("p,ul,ol,table,h2,h3")) return { display: false };
  const tex = place.querySelector('annotation[encoding="application/x-tex"]')?.textContent;
  return {
    math: place.querySelector("math"),
    tex: tex || place.textContent,
    display: place.matches(".katex-display"),
  };
}

/**
 * @param {Element} place
 * @returns {Formula}
 */
function fromMathJax(place) {
  const tex = place.querySelector("[data-latex]")?.getAttribute("data-latex");
  return {
    math: place.querySelector("math"),
    tex: tex || place.getAttribute("aria-label"),
    display: place.getAttribute("display") === "true",
  };
}

const TEX_SERVICES =
  /latex\.php\?|latex\.codecogs\.com|chart\.googleapis\.com\/chart\?.*cht=tx|\/(mimetex|mathtex)\.cgi|wordpress\.com\/latex|i\.upmath\.me/;
const TEX_ALT = /^(\$.+\$|\\\(.+\\\)|\\\[.+\\\])$/s;

/** @param {HTMLImageElement} image */
function texOfImage(image) {
  const alt = image.getAttribute("alt")?.trim() ?? "";
  if (TEX_ALT.test(alt)) return alt;
  const source = (image.getAttribute("src") ?? "").slice(0, MOST_CHARS);
  if (TEX_SERVICES.test(source)) return alt || texOfUrl(source);
  if (/(^|\s)(latex|tex|mwe-math-fallback-image-\w+)(\s|$)/i.test(image.className)) return alt;
  return /[\\^_{}]/.test(alt) && /math|equation/i.test(image.className) ? alt : "";
}

/** @param {string} source */
function texOfUrl(source) {
  const query = source.slice(source.indexOf("?") + 1);
  const named = new URLSearchParams(query);
  const tex = named.get("latex") ?? named.get("chl");
  if (tex) return tex;
  try {
    return decodeURIComponent(query.replace(/\+/g, " "));
  } catch {
    return "";
  }
}
