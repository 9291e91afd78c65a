/** What a page says about itself in JSON-LD. */

/** @typedef {Record<string, any>} Item */
/** @typedef {{article: Item, sites: Item[], look: (value: any) => any[]}} LinkedData */

const MOST_SCRIPTS = 20;
const MOST_CHARS = 500_000;
const MOST_ITEMS = 2_000;
const ARTICLE =
  /Article$|BlogPosting$|^Report$|SocialMediaPosting$|^(Review|Recipe|ShortStory|Chapter|HowTo|NewsStory)$/;
const PAGE =
  /^(WebPage|ItemPage|AboutPage|MedicalWebPage|CreativeWork|Book|VideoObject|PodcastEpisode)$/;
const SITE = /^(WebSite|Organization|NewsMediaOrganization|Corporation)$/;

/**
 * @param {Document} copy
 * @returns {LinkedData}
 */
export function readLinkedData(copy) {
  const items = Array.from(copy.querySelectorAll('script[type="application/ld+json"]'))
    .slice(0, MOST_SCRIPTS)
    .flatMap(parseItems)
    .slice(0, MOST_ITEMS);
  const byId = new Map(
    items.filter((item) => item["@id"] && item["@type"]).map((item) => [item["@id"], item]),
  );
  /** @param {any} value */
  const look = (value) =>
    asList(value)
      .slice(0, 100)
      .map((part) => byId.get(part?.["@id"] ?? part) ?? part);
  const article =
    items.find((item) => isA(item, ARTICLE)) ?? items.find((item) => isA(item, PAGE)) ?? {};
  return { article, sites: items.filter((item) => isA(item, SITE)), look };
}

/** @param {Element} script */
function parseItems(script) {
  const text = script.textContent ?? "";
  if (text.length > MOST_CHARS) return [];
  try {
    return flatten(JSON.parse(text.replace(/^\s*<!\[CDATA\[|\]\]>\s*$/g, "")), 0);
  } catch {
    return [];
  }
}

/**
 * @param {any} value
 * @param {number} depth
 * @returns {Item[]}
 */
function flatten(value, depth) {
  if (depth > 3 || value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap((part) => flatten(part, depth + 1));
  return [value, ...flatten(value["@graph"], depth + 1), ...flatten(value.mainEntity, depth + 1)];
}

/**
 * @param {Item} item
 * @param {RegExp} types
 */
const isA = (item, types) => asList(item["@type"]).some((type) => types.test(String(type)));

/** @param {any} value */
export const asList = (value) =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/**
 * A string of JSON-LD as text: its entities decoded once, its tags gone.
 * @param {any} value
 * @param {Document} copy
 */
export function plain(value, copy) {
  const [first] = asList(value);
  const named = first?.name ?? first?.["@value"] ?? first;
  const text = String(asList(named).find((part) => typeof part === "string") ?? "").slice(0, 4_000);
  if (!/[<&]/.test(text)) return text.replace(/\s+/g, " ").trim();
  const holder = copy.createElement("template");
  holder.innerHTML = text;
  return (holder.content.textContent ?? "").replace(/\s+/g, " ").trim();
}
