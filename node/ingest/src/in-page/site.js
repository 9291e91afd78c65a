/**
 * What a page tells about where it belongs: whether a link leads to another page of its site, and
 * whether it calls itself an article.
 * @typedef {{isOwn: (link: Element) => boolean, declared: boolean}} Site
 */

const ARTICLE =
  'meta[property="og:type"][content="article" i],[itemtype*="Article"],[itemtype*="BlogPosting"]';

/**
 * @param {Document} copy
 * @returns {Site}
 */
export function siteOf(copy) {
  const data = Array.from(copy.querySelectorAll('script[type="application/ld+json"]'));
  const declared =
    copy.querySelector(ARTICLE) !== null ||
    data.some(({ textContent }) => /"(?:\w*Article|BlogPosting)"/.test(textContent));
  return { isOwn: linksWithin(copy), declared };
}

/**
 * A saved or moved page also names its first address.
 * @param {Document} copy
 * @returns {(link: Element) => boolean}
 */
function linksWithin(copy) {
  const names = 'link[rel="canonical"],meta[property="og:url"]';
  const named = Array.from(copy.querySelectorAll(names)).flatMap((element) =>
    addressOf(element.getAttribute("href") ?? element.getAttribute("content"), copy.baseURI),
  );
  const addresses = [...addressOf(copy.baseURI), ...named];
  const pages = new Set(addresses.map(({ host, pathname }) => host + pathname));
  const hosts = addresses.map(({ host }) => `.${host.replace(/^www\./, "")}`);
  return (link) =>
    addressOf(link.getAttribute("href"), copy.baseURI).some(
      ({ host, pathname }) =>
        !pages.has(host + pathname) && hosts.some((own) => `.${host}`.endsWith(own)),
    );
}

/**
 * @param {string | null} text
 * @param {string} [base]
 */
function addressOf(text, base) {
  const url = text ? URL.parse(text, base) : null;
  return url ? [url] : [];
}
