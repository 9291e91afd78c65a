import { placeLink } from "./embeds.js";
import { onlyWrapper } from "./kept.js";
import { knownPlace, webUrl } from "./players.js";

/** @typedef {import("./kept.js").Kept} Kept */

const POSTS =
  "blockquote.twitter-tweet,blockquote.twitter-video,blockquote.instagram-media,blockquote.tiktok-embed," +
  "blockquote.mastodon-embed,blockquote.bluesky-embed,blockquote.text-post-media,blockquote.reddit-embed-bq," +
  "blockquote.reddit-card,.fb-post[data-href],.fb-video[data-href]";
const POST_ADDRESSES = [
  "data-instgrm-permalink",
  "data-text-post-permalink",
  "data-embed-url",
  "data-href",
  "cite",
  "data-bluesky-uri",
];

/**
 * @param {Document} copy
 * @param {Kept[]} kept
 */
export function keepPosts(copy, kept) {
  for (const post of copy.querySelectorAll(POSTS)) keepPost(post, copy.baseURI, kept);
}

/**
 * The words of a post stay; below them stands where it is.
 * @param {Element} post
 * @param {string} base
 * @param {Kept[]} kept
 */
function keepPost(post, base, kept) {
  if (!post.isConnected) return;
  const known = placeOfPost(post, base);
  post.removeAttribute("class");
  const wrapper = onlyWrapper(post);
  if (wrapper !== post) wrapper.replaceWith(post);
  if (!known) return;
  const text = post.textContent?.trim() ?? "";
  if (!text || known.what.endsWith("Instagram")) {
    const title = /A post shared by .{1,200}/.exec(text.replace(/\s+/g, " "))?.[0];
    placeLink(post, { ...known, title }, kept);
    return;
  }
  const end = post.ownerDocument.createElement("div");
  post.append(end);
  placeLink(end, known, kept);
}

/**
 * @param {Element} post
 * @param {string} base
 */
function placeOfPost(post, base) {
  const links = Array.from(post.querySelectorAll("a[href]"), (a) => a.getAttribute("href")).slice(
    -8,
  );
  const named = POST_ADDRESSES.map((name) => post.getAttribute(name));
  for (const address of [...named, ...links.reverse()]) {
    const sky = /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/(\w+)$/.exec(address ?? "");
    if (sky)
      return { what: "Post on Bluesky", href: `https://bsky.app/profile/${sky[1]}/post/${sky[2]}` };
    const url = webUrl(address, base);
    const known = url && knownPlace(url);
    if (known) return known;
  }
  return null;
}
