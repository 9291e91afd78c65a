/** Where the address of a frame leads a person, and what is there. */

/** @typedef {{what: string, href: string}} Place */

const AD_HOSTS = new RegExp(
  "(^|\\.)(doubleclick\\.net|google(syndication|tagmanager|adservices|-analytics)\\.com|" +
    "(amazon-adsystem|adnxs|taboola|outbrain|rubiconproject|pubmatic|moatads|scorecardresearch|quantserve|" +
    "optimizely|hotjar|hcaptcha|cookiebot|onetrust|cookielaw|privacy-mgmt|trustarc|disqus|casalemedia|" +
    "smartadserver|3lift|rlcdn|sharethis|addthis|mgid|revcontent|intercom|drift|iperceptions|livechatinc|" +
    "criteo|mailchimp|list-manage|powr|typekit|sekindo|primis|connatix|liadm|crwdcntrl|bluekai|ads-twitter)\\.com|" +
    "(openx|demdex|adform|criteo|media|recaptcha|bidswitch|mathtag|everesttech|2mdn|serving-sys|adsafeprotected)\\.net|" +
    "(adsrvr|consensu|consentmanager)\\.(org|net)|teads\\.tv|tawk\\.to|widgets\\.wp\\.com|wa\\.gtimg\\.com|" +
    "challenges\\.cloudflare\\.com|js\\.stripe\\.com|accounts\\.google\\.com|apis\\.google\\.com|staticxx\\.facebook\\.com)$",
);
const JUNK_ADDRESS =
  /^(www\.)?(google\.com\/recaptcha|facebook\.com\/plugins\/(?!video|post)|facebook\.com\/tr\b|youtube\.com\/subscribe_embed|platform\.twitter\.com\/widgets\/|syndication\.twitter\.com)/;

/**
 * Whether an address shows nothing of the article: advertising, counters, consent, comments.
 * @param {URL} url
 */
export const isJunkAddress = (url) =>
  AD_HOSTS.test(url.hostname) || JUNK_ADDRESS.test(url.hostname + url.pathname);

/** @type {[RegExp, string, (path: RegExpExecArray, url: URL) => string | null | undefined][]} */
const SERVICES = [
  [/^youtube(-nocookie)?\.com\/(?:embed|v|shorts|live)\/([\w-]+)/, "Video on YouTube", youtube],
  [/^youtube\.com\/watch/, "Video on YouTube", (_path, url) => url.href],
  [/^youtu\.be\/()([\w-]+)/, "Video on YouTube", youtube],
  [
    /^player\.vimeo\.com\/video\/(\d+)/,
    "Video on Vimeo",
    ([, id], { searchParams }) =>
      `https://vimeo.com/${id}${searchParams.get("h") ? `/${searchParams.get("h")}` : ""}`,
  ],
  [
    /^dailymotion\.com\/embed\/video\/(\w+)/,
    "Video on Dailymotion",
    ([, id]) => `https://www.dailymotion.com/video/${id}`,
  ],
  [
    /^geo\.dailymotion\.com\/player/,
    "Video on Dailymotion",
    (_path, url) => `https://www.dailymotion.com/video/${url.searchParams.get("video")}`,
  ],
  [/^player\.twitch\.tv\//, "Video on Twitch", (_path, url) => url.href],
  [
    /^(?:embed\.)?ted\.com\/talks\/(.+)/,
    "Video on TED",
    ([, talk]) => `https://www.ted.com/talks/${talk}`,
  ],
  [
    /^archive\.org\/embed\/(.+)/,
    "Media on the Internet Archive",
    ([, id]) => `https://archive.org/details/${id}`,
  ],
  [
    /^open\.spotify\.com\/embed(?:-podcast)?\/(.+)/,
    "Audio on Spotify",
    ([, path]) => `https://open.spotify.com/${path}`,
  ],
  [/^w\.soundcloud\.com\/player/, "Audio on SoundCloud", soundcloud],
  [
    /^embed\.(?:podcasts|music)\.apple\.com\//,
    "Audio on Apple",
    (_path, url) => url.href.replace("//embed.", "//"),
  ],
  [/^bandcamp\.com\/EmbeddedPlayer/, "Audio on Bandcamp", (_path, url) => url.href],
  [
    /^platform\.twitter\.com\/embed\/tweet/i,
    "Post on X",
    (_path, url) => `https://x.com/i/status/${url.searchParams.get("id")}`,
  ],
  [
    /^(?:twitter|x)\.com\/(\w+)\/status\/(\d+)/,
    "Post on X",
    ([, who, id]) => `https://x.com/${who}/status/${id}`,
  ],
  [
    /^instagram\.com\/(p|reel|tv)\/([\w-]+)/,
    "Post on Instagram",
    ([, kind, id]) => `https://www.instagram.com/${kind}/${id}/`,
  ],
  [
    /^tiktok\.com\/(?:embed(?:\/v2)?|player\/v1)\/(\d+)/,
    "Video on TikTok",
    ([, id]) => `https://www.tiktok.com/@/video/${id}`,
  ],
  [/^tiktok\.com\//, "Video on TikTok", (_path, url) => url.href],
  [
    /^facebook\.com\/plugins\/video/,
    "Video on Facebook",
    (_path, url) => url.searchParams.get("href"),
  ],
  [
    /^facebook\.com\/plugins\/post/,
    "Post on Facebook",
    (_path, url) => url.searchParams.get("href"),
  ],
  [/^facebook\.com\//, "Post on Facebook", (_path, url) => url.href],
  [
    /^embed\.bsky\.app\/embed\/([^/]+)\/app\.bsky\.feed\.post\/(\w+)/,
    "Post on Bluesky",
    ([, who, id]) => `https://bsky.app/profile/${who}/post/${id}`,
  ],
  [
    /^threads\.(?:net|com)\/(.+)/,
    "Post on Threads",
    ([, path]) => `https://www.threads.com/${path.replace(/\/embed\/?$/, "")}`,
  ],
  [
    /^(?:embed\.|redditmedia\.)?(?:reddit|redditmedia)\.com\/(r\/.+)/,
    "Post on Reddit",
    ([, path]) => `https://www.reddit.com/${path}`,
  ],
  [/^google\.[a-z.]+\/maps/, "Map on Google Maps", (_path, url) => url.href],
  [/^openstreetmap\.org\/export\/embed/, "Map on OpenStreetMap", (_path, url) => url.href],
  [
    /^codepen\.io\/([^/]+)\/embed\/(?:preview\/)?(\w+)/,
    "Code on CodePen",
    ([, who, id]) => `https://codepen.io/${who}/pen/${id}`,
  ],
  [
    /^(.+)\/@([\w.-]+)\/(\d+)\/embed$/,
    "Post on Mastodon",
    ([, host, who, id]) => `https://${host}/@${who}/${id}`,
  ],
];

/**
 * @param {RegExpExecArray} path
 * @param {URL} url
 */
function youtube([, , id], { searchParams }) {
  const list = searchParams.get("list");
  if (id === "videoseries")
    return list && `https://www.youtube.com/playlist?list=${encodeURIComponent(list)}`;
  const start = Number.parseInt(searchParams.get("start") ?? searchParams.get("t") ?? "", 10);
  return `https://www.youtube.com/watch?v=${id}${start > 0 ? `&t=${start}s` : ""}`;
}

/**
 * @param {RegExpExecArray} _path
 * @param {URL} url
 */
function soundcloud(_path, url) {
  const track = url.searchParams.get("url") ?? "";
  return /^https:\/\/soundcloud\.com\//.test(track) ? track : url.href;
}

/**
 * What is known about an address of one of the larger services.
 * @param {URL} url
 * @returns {Place | null}
 */
export function knownPlace(url) {
  const address = (url.hostname + url.pathname).replace(/^(www|m|mobile)\./, "");
  for (const [pattern, what, lead] of SERVICES) {
    const path = pattern.exec(address);
    const target = path && webUrl(lead(path, url));
    if (target) return { what, href: target.href };
  }
  return null;
}

/**
 * @param {string | null | undefined} address
 * @param {string} [base]
 */
export function webUrl(address, base) {
  const trimmed = address?.trim();
  if (!trimmed) return null;
  try {
    const url = new URL(trimmed, base);
    return /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}
