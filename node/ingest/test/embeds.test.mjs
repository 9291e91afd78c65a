/** What an article cannot show leaves a link in its place; what is no part of it leaves nothing. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { openReader } from "./support/in-page.mjs";
import { BODY } from "./support/site.mjs";

let reader;
before(async () => {
  reader = await openReader();
});
after(() => reader.close());

const around = (html) =>
  `<title>T</title><article>${BODY}<p>BEFORE it.</p>${html}<p>AFTER it.</p>${BODY}</article>`;

/** What is left between the two paragraphs. */
async function between(html) {
  const { content } = await reader.read(around(html));
  return /<p>BEFORE it\.<\/p>(.*)<p>AFTER it\.<\/p>/s
    .exec(content)?.[1]
    .replace(/\s+/g, " ")
    .trim();
}

const link = (href, text) => `<p><a href="${href}">${text}</a></p>`;
const WATCH = "https://www.youtube.com/watch?v=abc_-123";

/** @type {[string, string, string][]} */
const LINKS = [
  [
    "a video frame",
    `<iframe src="https://www.youtube.com/embed/abc_-123?rel=0&amp;start=30" title="Ships at sea"></iframe>`,
    link(`${WATCH}&amp;t=30s`, "Video on YouTube: Ships at sea"),
  ],
  [
    "a video frame in wrappers that Readability drops",
    `<div class="widget media"><div class="social-embed"><iframe src="//www.youtube-nocookie.com/embed/abc_-123" title="YouTube video player"></iframe></div></div>`,
    link(WATCH, "Video on YouTube"),
  ],
  [
    "a playlist",
    `<iframe src="https://www.youtube.com/embed/videoseries?list=PL1"></iframe>`,
    link("https://www.youtube.com/playlist?list=PL1", "Video on YouTube"),
  ],
  [
    "a lazy frame",
    `<iframe src="about:blank" data-src="https://player.vimeo.com/video/76979871?h=8272103f6e"></iframe>`,
    link("https://vimeo.com/76979871/8272103f6e", "Video on Vimeo"),
  ],
  [
    "a frame for readers without scripts",
    `<div><noscript><iframe src="https://www.youtube.com/embed/abc_-123"></iframe></noscript></div>`,
    link(WATCH, "Video on YouTube"),
  ],
  [
    "a lazy frame and its twin for readers without scripts",
    `<iframe data-src="https://www.youtube.com/embed/abc_-123"></iframe><noscript><iframe src="https://www.youtube.com/embed/abc_-123"></iframe></noscript>`,
    link(WATCH, "Video on YouTube"),
  ],
  [
    "a facade with its own picture",
    `<lite-youtube videoid="abc_-123" playlabel="Play: Ships at sea" style="background-image: url('/thumb.jpg');"></lite-youtube>`,
    `<figure><img src="https://www.site.example/thumb.jpg" alt=""><figcaption><a href="${WATCH}">Video on YouTube: Ships at sea</a></figcaption></figure>`,
  ],
  [
    "a facade without a picture names none",
    `<lite-youtube videoid="abc_-123"></lite-youtube>`,
    link(WATCH, "Video on YouTube"),
  ],
  [
    "a video file with a poster",
    `<video controls poster="/p.jpg" title="Ships"><source src="/v.mp4" type="video/mp4">No video.</video>`,
    `<figure><img src="https://www.site.example/p.jpg" alt=""><figcaption><a href="https://www.site.example/v.mp4">Video: Ships</a></figcaption></figure>`,
  ],
  [
    "a video that a script feeds leads to the page",
    `<video src="blob:https://www.site.example/1" style="width:300px;height:200px"></video>`,
    link("https://www.site.example/a/page", "Video from site.example"),
  ],
  [
    "an audio file",
    `<audio controls src="talk.mp3"></audio>`,
    link("https://www.site.example/a/talk.mp3", "Audio from site.example"),
  ],
  [
    "a podcast",
    `<iframe src="https://open.spotify.com/embed/episode/4Xy?utm_source=generator"></iframe>`,
    link("https://open.spotify.com/episode/4Xy", "Audio on Spotify"),
  ],
  [
    "an old object",
    `<object width="425" height="344"><param name="movie" value="https://www.youtube.com/v/abc_-123&amp;hl=en"><embed src="https://www.youtube.com/v/abc_-123&amp;hl=en" width="425" height="344"></object>`,
    link(WATCH, "Video on YouTube"),
  ],
  [
    "a PDF",
    `<object data="/paper.pdf" type="application/pdf" width="400" height="400">Your browser shows no PDF.</object>`,
    link("https://www.site.example/paper.pdf", "Embedded PDF from site.example"),
  ],
  [
    "any other page",
    `<iframe src="https://charts.example/1/" title="Tides by month"></iframe>`,
    link("https://charts.example/1/", "Embedded page from charts.example: Tides by month"),
  ],
  [
    "a post shown in a frame",
    `<div class="twitter-tweet twitter-tweet-rendered"><iframe src="https://platform.twitter.com/embed/Tweet.html?id=20" data-tweet-id="20"></iframe></div>`,
    link("https://x.com/i/status/20", "Post on X"),
  ],
  [
    "a post without words",
    `<blockquote class="instagram-media" data-instgrm-permalink="https://www.instagram.com/p/B1x_/?utm_source=ig_embed"><a href="https://www.instagram.com/p/B1x_/">View this post on Instagram</a><p>A post shared by Jane (@jane)</p></blockquote>`,
    link("https://www.instagram.com/p/B1x_/", "Post on Instagram: A post shared by Jane (@jane)"),
  ],
  [
    "a post on Mastodon",
    `<iframe src="https://social.example/@jane/1099/embed" class="mastodon-embed"></iframe>`,
    link("https://social.example/@jane/1099", "Post on Mastodon"),
  ],
  [
    "another post of a blog, when only the frame is shown",
    `<iframe class="wp-embedded-content" src="https://blog.example/post/embed/#?secret=x" title="“Post” — Blog"></iframe>`,
    link("https://blog.example/post/", "Embedded page from blog.example: “Post” — Blog"),
  ],
];
for (const [what, html, expected] of LINKS) {
  test(what, async () => assert.equal(await between(html), expected));
}

test("the words of a post stay, with a link below them", async () => {
  const found = await between(
    `<blockquote class="twitter-tweet"><p>The tide is high.</p>&mdash; Jane (@jane) <a href="https://twitter.com/jane/status/20?ref_src=x">May 3</a></blockquote>`,
  );
  assert.match(found, /<blockquote>.*The tide is high\..*Jane \(@jane\).*<\/blockquote>/);
  assert.match(
    found,
    /<a href="https:\/\/x\.com\/jane\/status\/20">Post on X<\/a><\/p> ?<\/blockquote>/,
  );
});

test("a caption stays beside its video", async () => {
  const found = await between(
    `<figure class="media"><div class="player"><iframe src="https://www.youtube.com/embed/abc_-123"></iframe></div><figcaption>CAPTION of it</figcaption></figure>`,
  );
  assert.match(found, /<figure>.*Video on YouTube<\/a>.*<figcaption>.*CAPTION of it.*<\/figure>/);
});

test("an embed inside a paragraph ends it", async () => {
  const found = await between(
    `<p id="x">One half <iframe src="https://www.youtube.com/embed/abc_-123"></iframe> and the other.</p>`,
  );
  assert.equal(
    found,
    `<p id="x">One half </p>${link(WATCH, "Video on YouTube")}<p> and the other.</p>`,
  );
});

test("pictures in objects become pictures", async () => {
  assert.match(
    await between(`<object data="/map.svg" type="image/svg+xml">Map</object>`),
    /<img src="https:\/\/www\.site\.example\/map\.svg" alt="Map">/,
  );
});

const NOTHING = [
  [
    "counters",
    `<iframe src="https://www.googletagmanager.com/ns.html?id=G" height="0" width="0"></iframe>`,
  ],
  ["pixels", `<iframe src="https://pages.example/x" width="1" height="1"></iframe>`],
  ["hidden frames", `<iframe src="https://pages.example/x" style="display:none"></iframe>`],
  [
    "frames hidden by a style sheet",
    `<style>.h{position:absolute;left:-9999px}</style><iframe class="h" src="https://pages.example/x"></iframe>`,
  ],
  ["advertising by host", `<iframe src="https://tpc.googlesyndication.com/safeframe/1"></iframe>`],
  [
    "advertising by name",
    `<iframe id="google_ads_iframe_/1/x" src="https://pages.example/x"></iframe>`,
  ],
  [
    "robot checks",
    `<iframe title="reCAPTCHA" src="https://www.google.com/recaptcha/api2/anchor"></iframe>`,
  ],
  ["consent", `<iframe src="https://cdn.privacy-mgmt.com/index.html"></iframe>`],
  ["like buttons", `<iframe src="https://www.facebook.com/plugins/like.php?href=x"></iframe>`],
  ["sign-up forms", `<iframe src="https://site.example/newsletter/form"></iframe>`],
  ["frames without an address", `<iframe srcdoc="<p>x</p>"></iframe>`],
  [
    "Flash",
    `<object data="/banner.swf" type="application/x-shockwave-flash" width="500" height="90"></object>`,
  ],
  ["hidden videos", `<video style="display:none" src="/v.mp4"></video>`],
];
for (const [what, html] of NOTHING) {
  test(`${what} leave nothing`, async () => assert.equal(await between(html), ""));
}

test("prose about videos and posts stays as it is", async () => {
  const prose = `<p>The video on YouTube, the audio and the embedded page from there are gone.</p>`;
  assert.equal(await between(prose), prose);
});

test("an attribute for videos on a block of prose takes nothing away", async () => {
  const prose = "It was a long story, and it took a long time to tell it. ".repeat(8).trim();
  assert.equal(
    await between(`<div data-youtube-id="abc"><p>${prose}</p></div>`),
    `<p>${prose}</p>`,
  );
});

test("a page cannot take the place of a mark", async () => {
  const found = await between(
    `<p data-nexus-kept="0">Forged.</p><iframe src="https://www.youtube.com/embed/abc_-123"></iframe>`,
  );
  assert.equal(found, `<p>Forged.</p>${link(WATCH, "Video on YouTube")}`);
});
