import { chooseAuthors, flipName, namesOfByline, splitNames } from "./authors.js";
import { plain, readLinkedData } from "./linked-data.js";
import { webUrl } from "./players.js";
import { ownTitle } from "./title.js";

/** @typedef {import("./linked-data.js").LinkedData} LinkedData */
/** @typedef {(...names: string[]) => string[]} Declared */

/**
 * What a page declares about itself, before Readability takes it apart.
 * @typedef {{
 *   authors: string[][], bylines: string[], site: string | null, sites: string[], sections: string[], titles: string[],
 *   published: string | null, language: string | null, excerpt: string | null, image: string | null,
 * }} Declaration
 */

const MOST_CHARS = 2_000;

/**
 * @param {Document} copy
 * @returns {Declaration}
 */
export function readDeclaration(copy) {
  const linked = readLinkedData(copy);
  const meta = declared(copy);
  const sites = siteNames(copy, linked, meta);
  // "Site" rather than "Site - all that is new".
  const site = sites.find((name) => sites[0].startsWith(`${name} `)) ?? sites[0] ?? null;
  const titles = [
    ...meta("og:title"),
    plain(linked.article.headline, copy),
    ...meta("twitter:title"),
  ];
  return {
    authors: authorLists(copy, linked, meta),
    bylines: bylinesOf(copy),
    site,
    sites,
    sections: [
      ...meta("article:section", "parsely-section"),
      plain(linked.article.articleSection, copy),
    ],
    titles: titles.filter(Boolean),
    published: publication(copy, linked, meta),
    language: languageOf(copy, linked, meta),
    excerpt: excerptOf(copy, linked, meta, [...titles, ...sites, ownTitle(copy)]),
    image: leadImage(copy, linked, meta),
  };
}

/**
 * The `metadata` of the reply.
 * @param {Declaration} found
 * @param {{byline?: string | null}} article
 */
export function asMetadata(found, article) {
  const visible = [article.byline, ...found.bylines].map((line) =>
    namesOfByline(line).filter((name) => name !== found.site),
  );
  return {
    authors: chooseAuthors([...found.authors, ...visible], found.site),
    site_name: found.site,
    published_at: found.published,
    language: found.language,
    excerpt: found.excerpt,
    lead_image_url: found.image,
  };
}

/**
 * Reads `meta` elements by name, in the order of the names.
 * @param {Document} copy
 * @returns {Declared}
 */
function declared(copy) {
  /** @type {Map<string, string[]>} */
  const all = new Map();
  for (const element of copy.querySelectorAll("meta[content]")) {
    const content = (element.getAttribute("content") ?? "")
      .slice(0, MOST_CHARS)
      .replace(/\s+/g, " ")
      .trim();
    for (const attribute of ["property", "name", "itemprop", "http-equiv"]) {
      const name = element.getAttribute(attribute)?.trim().toLowerCase();
      if (!name || !content) continue;
      const values = all.get(name) ?? [];
      if (values.length < 50) values.push(content);
      all.set(name, values);
    }
  }
  return (...names) => names.flatMap((name) => all.get(name) ?? []);
}

/**
 * @param {Document} copy
 * @param {LinkedData} linked
 * @param {Declared} meta
 */
function siteNames(copy, { article, sites, look }, meta) {
  const named = [...look(article.publisher), ...look(article.isPartOf), ...sites];
  const all = [
    ...meta("og:site_name"),
    ...named.map((site) => plain(site, copy)),
    ...meta("application-name", "citation_journal_title", "dc.publisher", "dcterms.publisher"),
  ];
  return all.filter((name) => name && name.length <= 200 && !/^https?:/.test(name));
}

/**
 * @param {Document} copy
 * @param {LinkedData} linked
 * @param {Declared} meta
 */
function authorLists(copy, { article, look }, meta) {
  const shown = copy.querySelectorAll(
    '[rel~="author"],[itemprop="author"] [itemprop="name"],.p-author .p-name',
  );
  return [
    look(article.author ?? article.creator).flatMap((author) => splitNames(plain(author, copy))),
    meta("citation_author", "citation_authors")
      .flatMap((names) => names.split(";"))
      .map(flipName),
    meta("parsely-author", "sailthru.author").flatMap(splitNames),
    meta("dc.creator", "dcterms.creator").flatMap(splitNames).map(flipName),
    meta("author", "article:author", "books:author", "book:author", "byl").flatMap(splitNames),
    Array.from(shown)
      .slice(0, 20)
      .filter((one) => one.localName !== "link")
      .flatMap((one) => splitNames((one.textContent ?? "").slice(0, 300))),
  ].map((names) =>
    names
      .map((name) => name.slice(0, 200))
      .filter((name) => !/^\s*https?:/.test(name) && name.trim()),
  );
}

/** @param {Document} copy */
function bylinesOf(copy) {
  const lines = copy.querySelectorAll('[class*="byline" i],.author,.post-author,.entry-author');
  return Array.from(lines)
    .slice(0, 3)
    .map((line) => (line.textContent ?? "").slice(0, 300));
}

const DATE = /\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2}|\d{9,}/;

/**
 * @param {Document} copy
 * @param {LinkedData} linked
 * @param {Declared} meta
 */
function publication(copy, { article }, meta) {
  const shown = copy.querySelectorAll(
    "time[pubdate],[itemprop=datePublished],time.published,time.entry-date,time.dt-published,article header time",
  );
  const found = [
    plain(article.datePublished, copy),
    ...meta(
      "article:published_time",
      "og:published_time",
      "datepublished",
      "citation_publication_date",
    ),
    ...meta(
      "citation_date",
      "citation_online_date",
      "parsely-pub-date",
      "sailthru.date",
      "dc.date.issued",
    ),
    ...meta(
      "dcterms.issued",
      "dc.date",
      "dcterms.created",
      "dc.date.created",
      "date",
      "pubdate",
      "publishdate",
    ),
    ...meta(
      "publish-date",
      "publication_date",
      "article.published",
      "cxenseparse:recs:publishtime",
    ),
    plain(article.dateCreated, copy),
    ...Array.from(shown)
      .slice(0, 5)
      .map(
        (one) =>
          one.getAttribute("datetime") ??
          one.getAttribute("content") ??
          one.getAttribute("title") ??
          one.textContent,
      ),
  ];
  return (
    found.map((text) => text?.trim().slice(0, 100)).find((text) => text && DATE.test(text)) ?? null
  );
}

/**
 * @param {Document} copy
 * @param {LinkedData} linked
 * @param {Declared} meta
 */
function languageOf(copy, { article }, meta) {
  const root = copy.documentElement;
  const found = [
    root.getAttribute("lang"),
    root.getAttribute("xml:lang"),
    copy.body.getAttribute("lang"),
    plain(article.inLanguage, copy),
    ...meta("content-language", "dc.language", "dcterms.language", "language", "og:locale"),
  ];
  return (
    found
      .find((text) => text?.trim())
      ?.trim()
      .slice(0, 100) ?? null
  );
}

/**
 * What the page says of itself, not what it says of the site.
 * @param {Document} copy
 * @param {LinkedData} linked
 * @param {Declared} meta
 * @param {string[]} others
 */
function excerptOf(copy, { article, sites }, meta, others) {
  const generic = new Set([...others, ...sites.map((site) => plain(site.description, copy))]);
  const found = [
    ...meta("og:description", "description", "twitter:description"),
    plain(article.description, copy),
    ...meta("dc.description", "dcterms.abstract", "citation_abstract"),
  ];
  return found.find((text) => text && !generic.has(text)) ?? null;
}

const NO_LEAD =
  /(^|[/_.-])(logo|logos|favicon|icons?|sprite|avatar|gravatar|placeholder|blank|spacer|default)([/_.-]|\d|$)|\.(svg|ico)$/i;

/**
 * @param {Document} copy
 * @param {LinkedData} linked
 * @param {Declared} meta
 */
function leadImage(copy, { article, sites, look }, meta) {
  const logos = [...look(article.publisher), ...sites]
    .flatMap((site) => look(site?.logo))
    .map(addressOfImage);
  const found = [
    ...meta("og:image:secure_url", "og:image", "og:image:url"),
    ...look(article.image).map(addressOfImage),
    ...meta("twitter:image", "twitter:image:src", "parsely-image-url", "image", "thumbnailurl"),
    copy.querySelector('link[rel="image_src"]')?.getAttribute("href"),
  ];
  for (const address of found) {
    const url = typeof address === "string" ? webUrl(address, copy.baseURI) : null;
    if (
      url &&
      url.href.length <= MOST_CHARS &&
      !logos.includes(address) &&
      !NO_LEAD.test(url.pathname)
    )
      return url.href;
  }
  return null;
}

/** @param {any} image */
const addressOfImage = (image) =>
  typeof image === "string" ? image : (image?.url ?? image?.contentUrl ?? image?.["@id"]);
