/** What is not part of an article goes; prose that looks like it stays. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openReader } from "./support/in-page.mjs";

const PROSE = [
  "The ferry left at six, as it had for forty years, and nobody on the quay looked up from their nets.",
  "By noon the wind had turned, and the captain, who had seen worse, brought her round behind the island.",
  "There they waited until evening, sharing bread and an old radio that knew only one station.",
  "When the lights of the harbour came back into view, the children counted them aloud, twice.",
  "Nobody asked where they had been, and nobody told; the sea, everyone agreed, keeps its own hours.",
  "The baker, who had kept the oven warm, gave away what was left, and the dogs got their share of it.",
  "The harbour master wrote the delay into his book, closed it, and went home by the long road.",
];
const P = PROSE.map((text) => `<p>${text}</p>`);
const GONE = `<p>${"GONE, all of it, is what it says of the lighthouse, and of the man who kept it. ".repeat(4)}</p>`;
const page = (...parts) =>
  `<!doctype html><title>ferry</title><meta property="og:type" content="article"><article><h1>The ferry</h1>${parts.join("\n")}</article>`;
/** The article below a title that has something beside it. */
const headed = (part) =>
  `<!doctype html><title>The ferry</title><section><div><h1>The ferry</h1></div><div>${part}</div></section><div><div>${P.join("")}</div></div>`;
/** The article with something between its paragraphs. */
const amid = (part) => page(P[0], P[1], part, ...P.slice(2));
const atEnd = (part) => page(...P, part);
const atTop = (part) => page(part, ...P);

let reader;
before(async () => {
  reader = await openReader();
});
after(() => reader.close());

const GOES = {
  "figures of other articles beside the text": page(
    `<div>${P.join("")}</div>`,
    '<figure><a href="/b"><img src="/b.png"></a><figcaption><h3><a href="/b">GONE to sea</a></h3></figcaption></figure>',
    '<figure><a href="/c"><img src="/c.png"></a><figcaption><h3><a href="/c">GONE ashore</a></h3></figcaption></figure>',
  ),
  "a heading for those who do not see the page": amid(
    '<section><h2 class="visually-hidden">GONE to the next</h2></section>',
  ),
  "a heading named as related, with its links": amid(
    '<h3 class="related-header">GONE before</h3><ul class="related"><li><a href="/b">GONE in the fog</a></li><li><a href="/c">GONE at sea</a></li></ul>',
  ),
  "a link to another article, with its label": amid(
    '<p><b>Read more:</b> <a href="/b">GONE in the fog off the northern cape</a></p>',
  ),
  "the same in other languages": amid(
    '<p>Lesen Sie auch: <a href="/b">GONE im Nebel vor dem Kap</a></p><p>Читайте также: <a href="/c">GONE в тумане у мыса</a></p>',
  ),
  "a link to another article, alone in its paragraph": amid(
    '<p><a href="/b">GONE: how the northern cape lost its lighthouse</a></p>',
  ),
  "a list of related articles": amid(
    '<h3>Related stories</h3><ul><li><a href="/b">GONE lighthouse</a></li><li><a href="/c">GONE bridge</a></li></ul>',
  ),
  "a box around another article": amid(
    '<div><h3><a href="/b">GONE lighthouse of the cape</a></h3><p>GONE. It stood for ninety years, until the sea took it in one night.</p><p><a href="/b?from=box">On to the story</a></p></div>',
  ),
  "a box named as related": amid(
    '<div class="article__related-links"><p>GONE, and what became of it: <a href="/b">the lighthouse of the cape</a></p></div>',
  ),
  "a newsletter box": amid(
    '<div class="newsletter-signup"><p>GONE are the days of missing a story. Get ours every morning, for free, in your inbox.</p></div>',
  ),
  "a call to sign up": amid('<p>Sign up to our <a href="/n">GONE fishing newsletter</a> here.</p>'),
  "the label of an advertisement": amid("<p>Advertisement</p><div>Anzeige</div>"),
  "controls of a gallery": amid("<p>View gallery</p><p>Slideshow (15 images)</p>"),
  "comments below the article": atEnd(
    `<section id="comments"><p>${"GONE with the wind, says a reader who was there and saw all of it. ".repeat(9)}</p></section>`,
  ),
  "tags below the article": atEnd(
    '<ul class="tags"><li><a href="/t/1">GONE</a></li><li><a href="/t/2">GONE too</a></li></ul>',
  ),
  "who owns the text": atEnd(
    "<p>© 2024 GONE Press. All rights reserved. No part may be copied.</p>",
  ),
  "menus above the text": atTop(
    '<ul><li><a href="/1">GONE home</a></li><li><a href="/2">GONE news</a></li><li><a href="/3">GONE sports</a></li></ul>',
  ),
  "the date and the author above the text": atTop(
    "<p>Published: 12 March 2024, 10:15 GONE</p><p>By Anna GONE and Ben Harbour</p>",
  ),
  "who wrote it and when, below the standfirst": page(
    P[0],
    "<p>by Anna GONE on 14 May 2024, 15:40</p><p>Friday, May 17, 2024 GONE</p>",
    ...P.slice(1),
  ),
  "when it was published, below the text": atEnd("<p>Published 14.05.2024, 15:40 GONE</p>"),
  "what it is filed under": atEnd("<p>Tags: GONE, ferries</p><p>Kategorien: GONE, Häfen</p>"),
  "controls for comments and pages": atEnd(
    "<p>Add your comment</p><p>Kommentar schreiben</p><p>← Previous Next →</p><p>Pages: 1 2 3</p>",
  ),
  "what the site says of its cookies": atEnd(
    "<p>Our website uses cookies to offer you what is GONE. By continuing you agree to them all.</p>",
  ),
  "other articles for readers who scroll on": page(
    ...P,
    `</article><article><h1>GONE: the lighthouse</h1>${GONE.repeat(3)}`,
  ).replace("<title>", "<title>The "),
  "what stands below the text that is marked as such": page(
    `<div itemprop="articleBody">${P.join("")}</div>`,
    "<p>GONE is the time in which the harbour had a newspaper of its own, and a boat to bring it.</p>",
  ),
  "what is longer than the text that is marked as such": page(
    `<div class="sidebar" itemprop="articleBody">${P.join("")}</div>`,
    `</article><div><div class="article-text">${GONE.repeat(9)}</div></div><article>`,
  ),
  "a summary with the title that is no sentence": headed('<div class="summary">GONE fishing</div>'),
  "a summary with the title that is a link": headed(
    '<div class="summary"><a href="/b">GONE is the lighthouse, and nobody knows what became of it.</a></div>',
  ),
  "an introduction to something else, below the text": headed("").replace(
    /<div><div>(<p>.*)/,
    `<section><div><h1>The ferry</h1></div><div>$1$1</div></section><div class="sidebar"><div class="excerpt">GONE is the lighthouse, as we told you in the other story.</div></div>`,
  ),
  "a teaser whose text is named like a caption": amid(
    '<div class="teaser"><a href="/b"><img src="/b.png" alt=""><div class="caption">GONE lighthouse of the cape</div></a></div>',
  ),
  "a call with the title": headed(
    '<div class="newsletter-intro">GONE are the days in which you missed a story. Get them all.</div>',
  ),
  "text for screen readers only": amid(
    '<p><span class="visually-hidden">GONE opens in a new window</span> The harbour had seen storms before, all of them in winter.</p>',
  ),
};

describe("furniture goes", () => {
  for (const [what, html] of Object.entries(GOES)) {
    test(what, async () => {
      const { content } = await reader.read(html);
      assert.doesNotMatch(content, /GONE|Advertisement|Anzeige|Related|gallery|Slideshow/);
      assert.doesNotMatch(content, /comment|Kommentar|Previous|Pages/);
      for (const text of PROSE) assert.ok(content.includes(text), text);
    });
  }

  test("a heading under which nothing is left goes with it", async () => {
    const { content } = await reader.read(
      atEnd(
        '<h3>Elsewhere on the coast</h3><section class="teasers"><p><a href="/b">The lighthouse</a> of the northern cape</p><p><a href="/c">The bridge</a> across the sound</p></section>',
      ),
    );
    assert.doesNotMatch(content, /Elsewhere/);
  });
});

describe("a standfirst with the title", () => {
  const said = "The whole of it is about a ferry that came back, and what was in it.";
  const times = async (html) => (await reader.read(html)).content.split(said).length - 1;

  test("is not there twice", async () => {
    const html = headed(`<div class="standfirst">${said}</div>`);
    assert.equal(await times(html.replace("<p>", `<p>${said}</p><p>`)), 1);
  });

  test("is in the text even where it is the excerpt, which the reader does not show", async () => {
    const meta = `<meta name="description" content="${said}">`;
    const html = headed(`<div class="standfirst">${said}</div>`);
    assert.equal(await times(html.replace("<section>", `${meta}<section>`)), 1);
  });
});

const STAYS = {
  "a figure that stands beside the parts of the text": page(
    `<div class="part"><section>${P.slice(0, 4).join("")}</section></div>`,
    '<figure><div><img src="/quay.png"></div><figcaption><section><div class="box"><p>KEPT by the museum.</p></div></section></figcaption></figure>',
    `<div class="part"><section>${P.slice(4).join("")}</section></div>`,
  ),
  "the caption of a player in a box of its own": amid(
    '<div class="media-player"><figure><div><iframe src="https://tv.example/1"></iframe></div><figcaption class="media-caption"><span>KEPT on film</span></figcaption></figure></div>',
  ),
  "a heading that its style sheet calls a header": amid(
    `<h2 class="subheaders">KEPT on the island</h2><p>${PROSE[2]}</p>`,
  ),
  "a term that its style sheet calls a header": amid(
    `<dl><dt class="sub-header" id="sign-up-on-an-ad-hoc-boat">KEPT boat</dt><dd class="sidebar">${PROSE[2]}</dd></dl>`,
  ),
  "a caption named like a widget": amid(
    '<figure><img src="/boat.png"><figcaption class="widget-meta">KEPT at the quay, by night.</figcaption></figure>',
  ),
  "a note to the reader that is little more than a link": amid(
    '<h2>Lights</h2><div role="note">Main article: <a href="/lights">KEPT lights of the cape</a></div>',
  ),
  "a quoted post in a box of its own": amid(
    '<div id="tw1" class="code social"><blockquote class="twitter-tweet"><p>***<br><br>KEPT short. <a href="https://t.co/1">pic.twitter.com/1</a></p>— A <a href="https://twitter.com/a/status/1">6 May</a></blockquote></div>',
  ),
  "a picture with a line that is a control": amid('<p><img src="/KEPT.png"><br>Enlarge</p>'),
  "parts of a report, each an article of its own": page(
    ...P,
    `</article><article><h2>At noon</h2><p>KEPT for all to see: ${PROSE.join(" ").repeat(2)}</p>`,
  ).replace("<title>", "<title>The "),
  "text below what is marked as the text, where that is only its beginning": page(
    `<div itemprop="articleBody">${P[0]}</div>`,
    `<p>KEPT for those who read on, as the captain would say on such days.</p>${P.slice(1).join("")}`,
  ),
  "a standfirst with the title, outside the text": headed(
    '<div class="post__excerpt">KEPT words say in one sentence what the whole of it is about.</div>',
  ),
  "a caption that is a link, as its picture is": amid(
    '<div class="article__photo"><a href="/quay.jpg"><div><span><img src="/quay.png" alt=""></span></div><div class="article__photo__desc">KEPT at the quay | Foto: Anna</div></a></div>',
  ),
  "days of a diary": amid("<p>14 May 2024 KEPT</p>"),
  "what the text is about, beside a date": atTop("<p>KEPT as pronounced on 12.11.2009</p>"),
  "a sentence with a date": atTop("<p>On 14 May 2024 it was KEPT in port.</p>"),
  "words that look filed, within the text": amid("<p>Topics: KEPT secrets and the sea</p>"),
  "a paragraph that begins like a label": amid(
    "<p>Read more slowly, the old captain used to say: KEPT words are worth the time they take.</p>",
  ),
  "a paragraph with a link": amid(
    '<p>KEPT in a drawer for years, <a href="/b">the logbook</a> tells another story.</p>',
  ),
  "a link announced by the paragraph before it": page(
    P[0],
    "<p>The whole logbook is on display in the museum, and can be read here:</p>",
    '<p><a href="/b">KEPT, the complete logbook of the ferry</a></p>',
    ...P.slice(1),
  ),
  "a link to another site": amid(
    '<p><a href="https://museum.example/b">KEPT, the complete logbook of the ferry</a></p>',
  ),
  "a list of links between paragraphs": amid(
    '<h2>Ports of call</h2><ul><li><a href="/b">KEPT island</a></li><li><a href="/c">The northern cape</a></li></ul>',
  ),
  "a heading that links, above text of its own": amid(
    `<h2><a href="/b">KEPT hours</a></h2><p>${"The ferry sails at six, at noon and at nine in the evening. ".repeat(15)}</p>`,
  ),
  "a list of sources below the article": atEnd(
    '<h2>See also</h2><ul><li><a href="/b">KEPT lighthouse</a></li><li><a href="/c">The bridge</a></li></ul>',
  ),
  "a refrain": page(P[0], "<p>KEPT again.</p>", P[1], "<p>KEPT again.</p>", ...P.slice(2)),
  "an interview that asks the same twice": page(
    P[0],
    "<p><b>KEPT asking: what happened then?</b></p>",
    P[1],
    "<p><b>KEPT asking: what happened then?</b></p>",
    ...P.slice(2),
  ),
  "paragraphs with a name that means something else here": page(
    ...P.map((text) => text.replace("<p>", '<p class="newsletter">')),
    '<p class="newsletter">KEPT to the end, as the last line of the letter.</p>',
  ),
  "words named after what they link to": amid(
    '<p>The captain, <a class="promo-link tags" href="/captain">KEPT Larsen</a>, had seen all this before.</p>',
  ),
  "comments in code": amid(
    '<pre><code><span class="comments"># KEPT.py</span>\nsail()</code></pre>',
  ),
  "quotes and captions": amid(
    "<figure><img src=a.png><figcaption>Share this: KEPT by the museum</figcaption></figure><blockquote><p>Subscribe!</p><p>KEPT word</p></blockquote>",
  ),
  "a licence that begins with its copyright": page("<p>Copyright © 2007 KEPT Foundation</p>", ...P),
  "a paragraph of another script that ends with its owner": atEnd(
    "<p>港の朝は早い、と店主は言った。KEPT (c)AFP</p>",
  ),
  "a story about comments": amid(
    "<p>Comments, KEPT in a box by the door, were read out on Sundays.</p>",
  ),
};

describe("prose stays", () => {
  for (const [what, html] of Object.entries(STAYS)) {
    test(what, async () => {
      const { content } = await reader.read(html);
      assert.match(content, /KEPT/);
      for (const text of PROSE) assert.ok(content.includes(text), text);
      assert.equal(content.match(/KEPT/g).length, html.match(/KEPT/g).length);
    });
  }

  test("a page of nothing but teasers is left as it is", async () => {
    const teaser = (n) =>
      `<div><h2><a href="/${n}">Story number ${n} of the coast</a></h2><p>A few words about the story with the number ${n}, enough for a line or two of text.</p><p><a href="/${n}">On</a></p></div>`;
    const { content } = await reader.read(
      `<!doctype html><title>All</title><main>${[1, 2, 3, 4, 5, 6].map(teaser).join("")}</main>`,
    );
    assert.match(content, /number 1 .*number 6 /s);
  });
});

describe("what stands between paragraphs is not cleaned away", () => {
  const BOXES = {
    "a paragraph full of links": `<div>KEPT are <a href="https://a.example">the charts of the coast</a>, <a href="https://b.example">the tide tables</a> and, since the storm, the diary of the captain who drew them.</div>`,
    "a quoted post": `<div class="media"><div>KEPT warm by the stove, the crew slept in turns. <a href="https://x.example/1">pic.example/abc</a></div><div>— Ferry (@ferry) <a href="https://x.example/2">July 3, 2019, on the island of the north</a></div></div>`,
    "a box about a product": `<div class="shopping"><img src=a.png><img src=b.png><img src=c.png><p>KEPT dry in any weather: the jacket of the crew, made of waxed cotton since 1921. It costs more than it should.</p></div>`,
  };
  for (const [what, box] of Object.entries(BOXES)) {
    test(what, async () => {
      assert.match((await reader.read(amid(box))).content, /KEPT/);
    });
  }

  test("a form goes all the same, and so does what is named as furniture", async () => {
    const form = `<form>GONE. Tell us what you think of the ferry and its captain, in your own words. <input name=a><input name=b></form>`;
    const promo = `<div class="promo">GONE. The best of the coast, every week, with <a href="https://a.example">maps and stories and more</a> for you.</div>`;
    assert.doesNotMatch((await reader.read(amid(form + promo))).content, /GONE/);
  });
});

test("many blocks take work in proportion", async () => {
  // Prose among them: without it, they would be gone before they are looked at here.
  const many = (count) =>
    page(...Array.from({ length: count }, (_, at) => `${P[at % P.length]}<p>Advertisement</p>`));
  const [few, all] = [await reader.stepsOf(many(250)), await reader.stepsOf(many(1_000))];
  assert.ok(few > 10_000 && all < 5 * few, `${all} steps, after ${few} for a quarter`);
});
