/**
 * The title of an article, without the name of its site at either end. The page itself must name the
 * site: a title that merely has a dash in it stays whole.
 */

/** @typedef {import("./metadata.js").Declaration} Declaration */

const SEPARATOR =
  /\s+[|\-\u2013\u2014\u00b7\u2022\u00bb\u00ab:/]+\s+|\s*[\uff5c\u2223]\s*|\s*::\s*/g;
const MOST_CHARS = 2_000;
const LOGOS =
  "header img[alt],[class*=logo] img[alt],img[class*=logo][alt],[id*=logo] img[alt],img[id*=logo][alt]";

/**
 * @param {Document} copy
 * @param {Declaration | null} declared
 */
export function noteTitle(copy, declared) {
  const own = ownTitle(copy);
  const sites = declared?.sites ?? [];
  const short = sites.map((name) => name.replace(/\.\w{2,6}$/, ""));
  const names = keys([...sites, ...short, ...logoNames(copy), ...hostNames(copy)]);
  const heading = mainHeading(copy, own);
  const candidates = [...(declared?.titles ?? []), heading, own].map(collapse);
  const title = candidates.find((text) => text && !names.has(key(text))) ?? (own || heading);
  const authors = keys(declared?.authors.flat() ?? []);
  const sections = keys(declared?.sections ?? []);
  return { title: withoutSite(title, { names, authors, sections }), heading };
}

/**
 * @param {string} title
 * @param {Record<"names" | "authors" | "sections", Set<string>>} known
 */
function withoutSite(title, { names, authors, sections }) {
  let text = title;
  for (;;) {
    const site = cutEnd(text, names) ?? cutStart(text, names) ?? cutEnd(text, authors, "|");
    const shorter = site ?? (text !== title ? cutEnd(text, sections) : null);
    if (!shorter) return text;
    text = shorter;
  }
}

/**
 * @param {string} text
 * @param {Set<string>} names
 * @param {string} [separator] The only one, if not any.
 */
function cutEnd(text, names, separator = "") {
  const last = Array.from(text.matchAll(SEPARATOR)).at(-1);
  if (!last?.[0].includes(separator)) return null;
  const end = text.slice(last.index + last[0].length);
  // "Wikipedia, the free encyclopedia"
  const named = names.has(key(end)) || names.has(key(end.split(",")[0]));
  return named ? text.slice(0, last.index) : null;
}

/**
 * @param {string} text
 * @param {Set<string>} names
 */
function cutStart(text, names) {
  const first =
    /^(.{2,80}?)(?::\s+|\s+[|\-\u2013\u2014\u00b7\u2022\u00bb]\s+|\s*[\uff5c]\s*)(?=\S)/.exec(text);
  return first && names.has(key(first[1])) ? text.slice(first[0].length) : null;
}

/**
 * Not `copy.title`, which a form of that name would be.
 * @param {Document} copy
 */
export function ownTitle(copy) {
  const title = copy.querySelector("title:not(svg title)")?.textContent ?? "";
  return collapse(title.slice(0, MOST_CHARS));
}

/** @param {Document} copy */
function logoNames(copy) {
  return Array.from(copy.querySelectorAll(LOGOS))
    .slice(0, 5)
    .map((image) =>
      (image.getAttribute("alt") ?? "").replace(/\s*\b(logo|home ?page|home)\b\s*/gi, ""),
    );
}

/** @param {Document} copy */
function hostNames(copy) {
  const host = new URL(copy.documentURI).hostname.replace(/^www\./, "");
  const labels = host.split(".");
  // The part that was registered, before "com" or "co.uk".
  const at = labels.length > 2 && /^(com?|org|net|ac|gov|edu)$/.test(labels.at(-2) ?? "") ? -3 : -2;
  const label = labels.at(at) ?? "";
  return label.length > 2 ? [host, labels.slice(at).join("."), label] : [host];
}

/**
 * The heading that the title of the page repeats, or else its only one.
 * @param {Document} copy
 * @param {string} own
 */
function mainHeading(copy, own) {
  const headings = Array.from(copy.querySelectorAll("h1")).slice(0, 20);
  const texts = headings
    .map((heading) => collapse((heading.textContent ?? "").slice(0, MOST_CHARS)))
    .filter(Boolean);
  const repeated = texts.find((text) => text.length > 3 && own.includes(text));
  return repeated ?? (own || texts.length !== 1 ? "" : texts[0]);
}

/** @param {string[]} names */
const keys = (names) => new Set(names.map(key).filter(Boolean));

/** @param {string} name */
const key = (name) =>
  name
    .toLowerCase()
    .replace(/^the\s+/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** @param {string | null | undefined} text */
export const collapse = (text) => (text ?? "").replace(/[\s\p{Cc}]+/gu, " ").trim();

/**
 * The letters and digits of a text, to tell whether two say the same.
 * @param {string} text
 */
export const sameWords = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
