import { collapse, sameWords } from "./title.js";

/** Boxes and lines of a site around its text. A rule applies only where nothing else is in them. */

const SHARE_LINK =
  /facebook\.com\/(sharer|share\.php|dialog)|(twitter|x)\.com\/(intent|share|home\?status)|linkedin\.com\/(share|sharing|cws)|pinterest\.[a-z.]+\/pin\/create|reddit\.com\/submit|(t|telegram)\.me\/share|wa\.me\/\?|whatsapp\.com\/send|^whatsapp:|^mailto:\?|news\.ycombinator\.com\/submitlink|tumblr\.com\/(share|widgets\/share)|getpocket\.com\/(save|edit)|bsky\.app\/intent|threads\.(net|com)\/intent|flipboard\.com\/bookmarklet|vk\.com\/share|line\.me\/R|xing\.com\/(spi|app)|bufferapp?\.com\/add|addtoany\.com|mastodonshare\.com/i;
const SHARE_WORDS =
  /\b(share( (this|the))?( (article|story|post|page|link))?|on|via|by|with|in|to|a|tweet|post|pin( it)?|print|facebook|twitter|x|linkedin|linked|reddit|e-?mail|mail|pinterest|whats ?app|telegram|messenger|copy( link)?|link|url|copied|save|pocket|tumblr|flipboard|mastodon|bluesky|threads|hacker news|buffer|xing|vk|line|friend|open[s]? (in )?(new )?window|click|new|window|teilen|tweeten|drucken|compartir|partager|condividi|delen|dela)\b|[\d\W_]/giu;
const SHARE_CHARS = 250;

/**
 * Bars of links that share the page, and nothing else.
 * @param {Document} copy
 */
export function removeShareBars(copy) {
  for (const link of copy.querySelectorAll("a[href]")) {
    if (!link.isConnected || !SHARE_LINK.test(link.getAttribute("href") ?? "")) continue;
    const bar = widest(link, isShareBar);
    if (bar?.matches("p,div,ul,ol,section,nav,aside,footer,header")) bar.remove();
  }
}

/** @param {Element} element */
function isShareBar(element) {
  const { length } = element.textContent ?? "";
  if (length > 4 * SHARE_CHARS || element.querySelector("p img,figure,iframe,video")) return false;
  const text = wordsOf(element);
  if (text.length > SHARE_CHARS || /\p{L}/u.test(text.replace(SHARE_WORDS, ""))) return false;
  return Array.from(element.querySelectorAll("a[href]")).every(isShareLink);
}

/**
 * The text of a small element, with a space wherever an element ends.
 * @param {Element} element
 */
function wordsOf(element) {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let text = "";
  while (walker.nextNode()) text += ` ${walker.currentNode.nodeValue}`;
  return collapse(text);
}

/** @param {Element} link */
function isShareLink(link) {
  const href = link.getAttribute("href") ?? "";
  return SHARE_LINK.test(href) || /^(#|javascript:)/.test(href);
}

const MOST_LEVELS = 6;
const MOST_NODES = 60;

/**
 * The outermost element around this one of which the rule holds.
 * @param {Element} element
 * @param {(element: Element) => boolean} rule
 */
function widest(element, rule) {
  /** @type {Element | null} */
  let found = null;
  let next = /** @type {Element | null} */ (element);
  for (let level = 0; next && level < MOST_LEVELS; level += 1) {
    if (next.matches("body,main,article,td,th") || next.childNodes.length > MOST_NODES)
      return found;
    if (!rule(next)) return found;
    found = next;
    next = next.parentElement;
  }
  return found;
}

const LETTERS =
  /newsletters?|mailing list|in(to)? your inbox|subscribe|sign ?up|abonnieren|s'abonner|suscr[i\u00ed]b/i;
const BOX_CHARS = 400;
const MOST_FORMS = 50;

/**
 * A field for an address, with the words that ask for it.
 * @param {Document} copy
 */
export function removeNewsletterBoxes(copy) {
  const fields = copy.querySelectorAll("input[type=email],input[name*=email i],input[id*=email i]");
  // Taking a form out of thousands is slow in Chromium, and no article has so many.
  for (const field of Array.from(fields).slice(0, MOST_FORMS)) {
    if (field.isConnected) widest(field.closest("form") ?? field, isNewsletterBox)?.remove();
  }
}

/** @param {Element} element */
function isNewsletterBox(element) {
  const text = element.textContent ?? "";
  if (text.length > 4 * BOX_CHARS || element.querySelectorAll("p").length > 4) return false;
  return (
    collapse(text).length <= BOX_CHARS && (LETTERS.test(text) || element.matches("form,input"))
  );
}

const PRICE = /[$\u20ac\u00a3\u00a5]\s?\d|\d\s?(\u20ac|EUR|USD|GBP|CHF)/;
const BUY =
  /\b(buy|view deal|see deal|get deal|check (the )?price|see (it|price) (at|on)|shop now|zum angebot|kaufen)\b/i;
const PRICE_CHARS = 200;

/**
 * A paid link to a shop with its price, and no sentence beside it.
 * @param {Document} copy
 */
export function removePriceBoxes(copy) {
  for (const link of copy.querySelectorAll("a[rel~=sponsored]")) {
    if (link.isConnected && !link.closest("p,td,table")) widest(link, isPriceBox)?.remove();
  }
}

/** @param {Element} element */
function isPriceBox(element) {
  const text = collapse((element.textContent ?? "").slice(0, 4 * PRICE_CHARS));
  if (
    text.length > PRICE_CHARS ||
    /[.!?]\s+\p{Lu}/u.test(text) ||
    element.querySelector("h1,h2,figure")
  )
    return false;
  return element.matches("a,span") || (PRICE.test(text) && BUY.test(text));
}

const TOP_CHARS = 200;
const TOP_NODES = 100;

/**
 * The title is shown above the text: a heading there that repeats it goes.
 * @param {Element} root
 * @param {string[]} titles
 */
export function removeRepeatedTitle(root, titles) {
  const wanted = new Set(titles.map(sameWords).filter(Boolean));
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let before = 0;
  for (let step = 0; step < TOP_NODES && before <= TOP_CHARS; step += 1) {
    const node = walker.nextNode();
    if (!node) return;
    const heading = node.parentElement?.closest("h1,h2,h3");
    if (heading && wanted.has(sameWords(heading.textContent ?? ""))) {
      heading.remove();
      return;
    }
    before += collapse(node.nodeValue).length;
  }
}
