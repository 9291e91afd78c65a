/** Titles lose the name of their site when the page itself names it, and nothing else. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { openReader } from "./support/in-page.mjs";
import { BODY } from "./support/site.mjs";

let reader;
before(async () => {
  reader = await openReader({ url: "https://www.harbournews.co.uk/a/page" });
});
after(() => reader.close());

const read = async (head, top = "") =>
  (await reader.read(`<!doctype html><head>${head}</head><body>${top}<article>${BODY}</article>`))
    .title;
const named = (title, site) =>
  `<title>${title}</title><meta property="og:site_name" content="${site}">`;
const linked = (value) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

/** @type {[string, string, string][]} */
const CUT = [
  [named("Ships at sea | The Site", "The Site"), "", "Ships at sea"],
  [named("Ships at sea - The Site", "the site"), "", "Ships at sea"],
  [named("Ships at sea — Site", "The Site"), "", "Ships at sea"],
  [named("The Site: Ships at sea", "The Site"), "", "Ships at sea"],
  [named("The Site | Ships at sea", "The Site"), "", "Ships at sea"],
  [named("Ships at sea · Site", "Site.com"), "", "Ships at sea"],
  [
    `<title>Ships at sea - Site</title><meta name="application-name" content="Site">`,
    "",
    "Ships at sea",
  ],
  [
    `<title>Ships at sea - Site</title>${linked({ "@type": "Article", publisher: { name: "Site" } })}`,
    "",
    "Ships at sea",
  ],
  [
    `<title>Ships at sea - Site</title>${linked({ "@type": "WebSite", name: "Site" })}`,
    "",
    "Ships at sea",
  ],
  [
    "<title>Ships at sea - The Pilot</title>",
    '<header><img alt="The Pilot logo" src="/l.png"></header>',
    "Ships at sea",
  ],
  ["<title>Ships at sea - HarbourNews</title>", "", "Ships at sea"],
  ["<title>Ships at sea | harbournews.co.uk</title>", "", "Ships at sea"],
  ["<title>Ships at sea - HarbourNews, the free paper</title>", "", "Ships at sea"],
  [
    `${named("Ships at sea | World | Site", "Site")}<meta property="article:section" content="World">`,
    "",
    "Ships at sea",
  ],
  [
    `<title>x</title><meta property="og:title" content="Ships at sea | Jane Doe"><meta name="author" content="Jane Doe">`,
    "",
    "Ships at sea",
  ],
];
for (const [head, top, expected] of CUT) {
  test(`cut: ${head}`, async () => assert.equal(await read(head, top), expected));
}

/** @type {[string, string][]} */
const WHOLE = [
  [named("Ships - a history", "The Site"), "Ships - a history"],
  [named("Ships | Boats", "The Site"), "Ships | Boats"],
  [named("Sites: a guide", "Site"), "Sites: a guide"],
  [named("What the Site - and others - say", "Site"), "What the Site - and others - say"],
  [named("Visit The Site", "The Site"), "Visit The Site"],
  [named("The Site", "The Site"), "The Site"],
  [named("Spider-Man in Site-seeing", "seeing"), "Spider-Man in Site-seeing"],
  ["<title>Ships at sea - Part 2 - The end</title>", "Ships at sea - Part 2 - The end"],
  [`<title>Jane Doe: my life</title><meta name="author" content="Jane Doe">`, "Jane Doe: my life"],
  [
    `${named("Ships at sea - World", "Site")}<meta property="article:section" content="World">`,
    "Ships at sea - World",
  ],
];
for (const [head, expected] of WHOLE) {
  test(`whole: ${head}`, async () => assert.equal(await read(head), expected));
}

/** @type {[string, string, string, string][]} */
const CHOSEN = [
  [
    "the title, when a form has that name",
    "<title>Ships at sea</title>",
    '<form name="title"></form>',
    "Ships at sea",
  ],
  [
    "the one made for sharing",
    `${named("x - Site", "Site")}<meta property="og:title" content="Ships at sea">`,
    "",
    "Ships at sea",
  ],
  [
    "the headline",
    `<title>x</title>${linked({ "@type": "Article", headline: "Ships &amp; boats" })}`,
    "",
    "Ships & boats",
  ],
  [
    "the heading that the title repeats",
    "<title>Ships at sea ~ Whatever</title>",
    "<h1>Ships at sea</h1>",
    "Ships at sea",
  ],
  [
    "the title, when the heading is another",
    "<title>Ships at sea</title>",
    "<h1>Menu</h1>",
    "Ships at sea",
  ],
  ["the only heading, when there is no title", "", "<h1>Ships at sea</h1>", "Ships at sea"],
  [
    "the title, when what is shared is the site",
    `${named("Ships at sea", "Site")}<meta property="og:title" content="Site">`,
    "",
    "Ships at sea",
  ],
];
for (const [what, head, top, expected] of CHOSEN) {
  test(`chosen: ${what}`, async () => assert.equal(await read(head, top), expected));
}
