/** What a site puts around and into its text goes; prose that looks like it stays. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openReader } from "./support/in-page.mjs";
import { BODY } from "./support/site.mjs";

let reader;
before(async () => {
  reader = await openReader();
});
after(() => reader.close());

const START = "<p>BEFORE it, there was a line of text.</p>";
const END = "<p>AFTER it, there was another line.</p>";

/** The text that is left between two paragraphs. */
async function between(html) {
  const { content } = await reader.read(
    `<title>Ships at sea</title><article>${BODY}${START}${html}${END}${BODY}</article>`,
  );
  const inside = content.slice(content.indexOf(START) + START.length, content.indexOf(END));
  return inside
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** @param {[string, string, string][]} cases */
function expectText(cases) {
  for (const [what, html, expected] of cases) {
    test(what, async () => assert.equal(await between(html), expected));
  }
}

describe("headings", () => {
  const P = "<p>And so it went, for a long time, as it does.</p>";
  const T = "And so it went, for a long time, as it does.";
  expectText([
    [
      "lose the edit link of an encyclopedia",
      `<h2><span id="H">History</span><span class="mw-editsection"><span>[</span><a href="/edit">edit</a><span>]</span></span></h2>${P}`,
      `History ${T}`.replace(" And", "And"),
    ],
    [
      "lose a plain edit link",
      `<h2>History <span>[<a href="/edit">edit</a>]</span></h2>${P}`,
      `History ${T}`,
    ],
    ["lose brackets around it", `<h2>History [<a href="/edit">edit</a>]</h2>${P}`, `History${T}`],
    [
      "lose a link in another language",
      `<h2>Geschichte <a href="/e">[Bearbeiten]</a></h2>${P}`,
      `Geschichte ${T}`,
    ],
    ["lose #", `<h2 id="h">History <a href="#h">#</a></h2>${P}`, `History ${T}`],
    ["lose ¶", `<h2 id="h">History<a class="headerlink" href="#h">¶</a></h2>${P}`, `History${T}`],
    ["lose §", `<h2 id="h"><a href="#h">§</a> History</h2>${P}`, `History${T}`],
    ["lose 🔗", `<h2 id="h">History <a href="#h">🔗</a></h2>${P}`, `History ${T}`],
    [
      "lose icons",
      `<h2 id="h"><a href="#h" aria-label="Permalink"><svg><path d="M0 0"/></svg></a>History</h2>${P}`,
      `History${T}`,
    ],
    [
      "lose words for the mouse",
      `<h2 id="h">History <a class="anchor" href="#h">Permalink</a></h2>${P}`,
      `History ${T}`,
    ],
    [
      "keep what they are about",
      `<h2>How to edit [and link] a #</h2>${P}`,
      `How to edit [and link] a #${T}`,
    ],
    [
      "keep links",
      `<h2 id="c"><a href="#c">C#</a> and <a href="/edit">editing</a></h2>${P}`,
      `C# and editing${T}`,
    ],
    ["keep a link that is all they have", `<h2><a href="/edit">Edit</a></h2>${P}`, `Edit${T}`],
    [
      "keep notes",
      `<h2>History<sup><a href="#n">§</a></sup></h2>${P}<p id="n">N.</p>`,
      `History§${T}N.`,
    ],
  ]);
});

describe("bars that share the page", () => {
  const FACEBOOK = '<a href="https://www.facebook.com/sharer/sharer.php?u=x">Facebook</a>';
  const TWITTER = '<a href="https://twitter.com/intent/tweet?url=x">Tweet</a>';
  expectText([
    [
      "go",
      `<ul><li>${FACEBOOK}</li><li>${TWITTER}</li><li><a href="mailto:?subject=x">E-mail</a></li></ul>`,
      "",
    ],
    [
      "go with their label",
      `<div><p>Share this article:</p><p>${FACEBOOK} | ${TWITTER} | <a href="#">Copy link</a></p></div>`,
      "",
    ],
    [
      "stay where there is more",
      `<p>Share it on ${FACEBOOK}, or rather tell your neighbours.</p>`,
      "Share it on Facebook, or rather tell your neighbours.",
    ],
    [
      "are not lists of places",
      '<ul><li>We looked at <a href="https://www.facebook.com/jane">Facebook</a>, of course</li><li>and at Reddit, at length</li></ul>',
      "We looked at Facebook, of courseand at Reddit, at length",
    ],
    [
      "are not prose about sharing",
      "<p>Share this on Facebook, they said.</p><p>Tweet</p>",
      "Share this on Facebook, they said.Tweet",
    ],
  ]);
});

describe("lines of their own", () => {
  expectText([
    [
      "that announce advertising go",
      "<p>Advertisement</p><div>ADVERTISEMENT</div><div><span>Anzeige</span></div>",
      "",
    ],
    ["that tell to read on go", '<p><a href="#rest">Continue reading the main story</a></p>', ""],
    [
      "that tell to read more go",
      '<p><a href="/x">Read more</a></p><div>Read the full story »</div>',
      "",
    ],
    ["that tell the story goes on go", "<p>Story continues below advertisement</p>", ""],
    [
      "about advertising stay",
      "<p>Advertisement is the art of lying.</p><p>Advertising</p>",
      "Advertisement is the art of lying.Advertising",
    ],
    [
      "about reading stay",
      "<p>Continue reading books, and read more of them.</p>",
      "Continue reading books, and read more of them.",
    ],
    [
      "in lists and tables stay",
      "<ul><li>Advertisement</li><li>Read more</li><li>and other things that are in lists</li></ul>",
      "AdvertisementRead moreand other things that are in lists",
    ],
    [
      "that are headings stay",
      "<h2>Read more</h2><p>Here is a list of books, all of them good.</p>",
      "Read moreHere is a list of books, all of them good.",
    ],
    ["that are quotes stay", "<blockquote>Advertisement</blockquote>", "Advertisement"],
  ]);
});

describe("boxes for newsletters", () => {
  expectText([
    [
      "go",
      '<div class="x"><h3>Our newsletter</h3><p>Sign up to get it in your inbox.</p><form><input type="email"><button>Sign up</button></form></div>',
      "",
    ],
    [
      "are not prose about them",
      "<p>Our newsletter: sign up to get it in your inbox.</p>",
      "Our newsletter: sign up to get it in your inbox.",
    ],
    [
      "end where the prose begins",
      `<div><p>${"The history of newsletters is long. ".repeat(20).trim()}</p><form><label>Newsletter</label><input type="email"></form></div>`,
      "The history of newsletters is long. ".repeat(20).trim(),
    ],
  ]);
});

describe("boxes with prices", () => {
  expectText([
    [
      "go",
      '<div><span>Lamp 3000</span> <span>$49.99</span> <a rel="sponsored nofollow" href="https://shop.example/1">Buy at Shop</a></div>',
      "",
    ],
    [
      "are not prose with prices",
      '<p>The lamp costs $49.99, and you can <a rel="sponsored" href="https://shop.example/1">buy it here</a>.</p>',
      "The lamp costs $49.99, and you can buy it here.",
    ],
    [
      "are not reviews",
      '<div><p>We like the lamp. It is bright. Buy it for $49.99.</p><a rel="sponsored" href="https://shop.example/1">Lamp 3000, which we like best of all the lamps</a></div>',
      "We like the lamp. It is bright. Buy it for $49.99.",
    ],
  ]);
});

describe("the title at the top of the text", () => {
  const read = async (body) =>
    (
      await reader.read(
        `<title>Ships at sea | Site</title><meta property="og:site_name" content="Site"><article>${body}</article>`,
      )
    ).content;

  test("goes", async () => {
    assert.doesNotMatch(await read(`<h3>Ships at sea</h3>${BODY}`), /Ships at sea/);
    assert.doesNotMatch(await read(`<p>May 3</p><h1>Ships  at Sea!</h1>${BODY}`), /Sea/);
  });
  test("stays where it is a heading of a part", async () => {
    assert.match(await read(`${BODY}<h3>Ships at sea</h3>${BODY}`), /<h3>Ships at sea<\/h3>/);
  });
  test("stays where it is a sentence", async () => {
    assert.match(await read(`<p>Ships at sea</p>${BODY}`), /<p>Ships at sea<\/p>/);
  });
  test("stays where the heading says more", async () => {
    assert.match(
      await read(`<h3>Ships at sea in the storm of the century, part one</h3>${BODY}`),
      /Ships at sea in/,
    );
  });
});
