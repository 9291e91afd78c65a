import { isJunkAddress, knownPlace, webUrl } from "./players.js";

/** What an embedded page, player or file is, and where a person finds it. */

/** @typedef {{what: string, href: string, title?: string, poster?: string | null}} Link */

export const FRAMES = "iframe,embed,object,amp-iframe,video,audio,amp-video,amp-audio";
const YOUTUBE =
  "lite-youtube,youtube-video,amp-youtube,.rll-youtube-player,.youtube-player[data-id],[data-youtube-id],[data-yt-id]";
export const FACADES = `${YOUTUBE},lite-vimeo,amp-vimeo,amp-twitter,amp-instagram,twitter-widget`;
const MOST_CHARS = 300;

/**
 * @param {Element} element
 * @param {string} base
 * @returns {Link | null}
 */
export function linkOf(element, base) {
  if (isUnseen(element)) return null;
  if (element.matches(FACADES)) return ofFacade(element, base);
  const url = addressOf(element, base);
  const title = titleOfEmbed(element);
  if (element.matches("video,audio,amp-video,amp-audio")) return ofMedia(element, url, title, base);
  if (!url || isJunkAddress(url)) return null;
  const tweet = element.getAttribute("data-tweet-id");
  if (tweet) return { what: "Post on X", href: `https://x.com/i/status/${tweet}` };
  const known = knownPlace(url);
  if (known) return { ...known, title, poster: posterOf(element, base) };
  if (element.matches("object,embed")) return ofObject(element, url, title);
  return looksLikeJunk(element, url) ? null : ofPage(element, url, title);
}

/**
 * @param {Element} element
 * @param {URL} url
 * @param {string} title
 * @returns {Link | null}
 */
function ofPage(element, url, title) {
  if (element.matches(".wp-embedded-content")) {
    const quote = element.previousElementSibling;
    if (quote?.matches("blockquote.wp-embedded-content")) return null;
    url.pathname = url.pathname.replace(/embed\/?$/, "");
    url.searchParams.delete("embed");
    url.hash = "";
  }
  return { what: `Embedded page from ${hostOf(url)}`, href: url.href, title };
}

/**
 * @param {Element} element
 * @param {URL} url
 * @param {string} title
 * @returns {Link | null}
 */
function ofObject(element, url, title) {
  const type = element.getAttribute("type") ?? "";
  // Nothing plays Flash any more.
  if (/flash/.test(type) || /\.swf$/i.test(url.pathname) || looksLikeJunk(element, url))
    return null;
  const what = /pdf/.test(type) || /\.pdf$/i.test(url.pathname) ? "PDF" : "page";
  return { what: `Embedded ${what} from ${hostOf(url)}`, href: url.href, title };
}

/**
 * A player whose address is made by a script leads to the page itself.
 * @param {Element} element
 * @param {URL | null} url
 * @param {string} title
 * @param {string} base
 * @returns {Link | null}
 */
function ofMedia(element, url, title, base) {
  if (url && isJunkAddress(url)) return null;
  const what = /audio/.test(element.localName) ? "Audio" : "Video";
  const poster = posterOf(element, base);
  const plays = /^blob:/.test(element.getAttribute("src") ?? "") || Boolean(poster);
  const target = url ?? (plays ? webUrl(element.ownerDocument.documentURI) : null);
  if (!target) return null;
  return {
    what: title ? what : `${what} from ${hostOf(target)}`,
    href: target.href,
    title,
    poster,
  };
}

/**
 * What stands for a player until it is clicked.
 * @param {Element} element
 * @param {string} base
 * @returns {Link | null}
 */
function ofFacade(element, base) {
  // An attribute of this name on a block of prose.
  if ((element.textContent ?? "").trim().length > MOST_CHARS) return null;
  /** @param {string[]} names */
  const first = (...names) => names.map((name) => element.getAttribute(name)).find(Boolean) ?? "";
  const title = titleOfEmbed(element);
  const poster = posterOf(element, base);
  const id = encodeURIComponent(
    first("videoid", "video-id", "data-videoid", "data-youtube-id", "data-yt-id", "data-id"),
  );
  if (element.matches("amp-twitter,twitter-widget")) {
    const tweet = first("data-tweetid", "data-tweet-id");
    return tweet
      ? { what: "Post on X", href: `https://x.com/i/status/${encodeURIComponent(tweet)}` }
      : null;
  }
  if (element.matches("amp-instagram")) {
    const code = encodeURIComponent(first("data-shortcode"));
    return { what: "Post on Instagram", href: `https://www.instagram.com/p/${code}/` };
  }
  const known = knownPlace(
    webUrl(first("src", "data-src"), base) ?? new URL("https://none.invalid/"),
  );
  if (known) return { ...known, title, poster };
  if (!id) return null;
  return element.matches(YOUTUBE)
    ? { what: "Video on YouTube", href: `https://www.youtube.com/watch?v=${id}`, title, poster }
    : { what: "Video on Vimeo", href: `https://vimeo.com/${id}`, title, poster };
}

const ADDRESSES = [
  "src",
  "data",
  "data-src",
  "data-lazy-src",
  "data-original",
  "data-orig-src",
  "data-litespeed-src",
  "data-cmp-src",
  "data-cookieblock-src",
  "data-consent-src",
  "data-url",
];

/**
 * @param {Element} element
 * @param {string} base
 */
function addressOf(element, base) {
  for (const name of ADDRESSES) {
    const url = webUrl(element.getAttribute(name), base);
    if (url) return url;
  }
  const inner = element.querySelector(
    'source[src],param[name="movie"],param[name="src"],embed[src]',
  );
  return webUrl(inner?.getAttribute("src") ?? inner?.getAttribute("value"), base);
}

/**
 * @param {Element} element
 * @param {string} base
 */
function posterOf(element, base) {
  const style = /url\(\s*["']?([^"')]+)/.exec(element.getAttribute("style") ?? "");
  const image = element.matches("object") ? null : element.querySelector("img");
  const named =
    element.getAttribute("poster") ??
    element.getAttribute("data-poster") ??
    style?.[1] ??
    image?.getAttribute("data-src") ??
    image?.getAttribute("src");
  return webUrl(named, base)?.href;
}

const NO_TITLE =
  /^(youtube|vimeo|video|audio|embed(ded)?|x|twitter|instagram|spotify|media)?[\s:-]*(embed(ded)?|video|audio|post|tweet|content|player|media|iframe)*[\s:-]*(player|embed|post|content|iframe)*$/i;

/** @param {Element} element */
function titleOfEmbed(element) {
  const named = ["title", "data-title", "aria-label", "playlabel"].map((name) =>
    element.getAttribute(name),
  );
  const title = (named.find((text) => text?.trim()) ?? "")
    .slice(0, MOST_CHARS)
    .replace(/\s+/g, " ")
    .replace(/^ ?play:? /i, "")
    .trim();
  return NO_TITLE.test(title) ? "" : title;
}

/** @param {Element} element */
function isUnseen(element) {
  const style = element.getAttribute("style") ?? "";
  const small = ["width", "height"].some((name) =>
    /^[012](px)?$/.test(element.getAttribute(name) ?? ""),
  );
  return (
    small || element.hasAttribute("hidden") || /display:\s*none|visibility:\s*hidden/i.test(style)
  );
}

const JUNK_NAME =
  /(^|[\s_-])(ads?|adv|advert\w*|adframe|sponsor\w*|banner|doubleclick|\w*captcha|consent|cookie\w*|gdpr|analytics|track(er|ing)|pixel|beacon|newsletter|sign-?up|subscribe|comments?|comment-?\w*|chat|likes?|share)(?=$|[\s_-]|\d)|google_ads|3rd party ad/i;
const JUNK_PATH =
  /(^|[/_-])(ads?|advert\w*|captcha|consent|cookies?|newsletter|sign-?up|subscribe|e?mail|log-?in|comments?)([/_.-]|$)/i;

/**
 * @param {Element} element
 * @param {URL} url
 */
function looksLikeJunk(element, url) {
  const names = ["id", "name", "class", "title"].map((name) =>
    (element.getAttribute(name) ?? "").slice(0, MOST_CHARS),
  );
  return (
    names.some((name) => JUNK_NAME.test(name)) || JUNK_PATH.test(url.pathname.slice(0, MOST_CHARS))
  );
}

/** @param {URL} url */
const hostOf = (url) => url.hostname.replace(/^www\./, "");
