/** What a page says about itself: who wrote it, where, when, in which language. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openReader } from "./support/in-page.mjs";
import { BODY } from "./support/site.mjs";

let reader;
before(async () => {
  reader = await openReader();
});
after(() => reader.close());

const page = (head, top = "", html = "") =>
  `<!doctype html><html ${html}><head><title>T</title>${head}</head><body><article>${top}${BODY}</article></body></html>`;
const read = async (...parts) => (await reader.read(page(...parts))).metadata;
const linked = (value) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const meta = (name, content) => `<meta name="${name}" content="${content}">`;

test("a page that declares nothing", async () => {
  assert.deepEqual(await read(""), {
    authors: [],
    site_name: null,
    published_at: null,
    language: null,
    excerpt: null,
    lead_image_url: null,
  });
});

test("a page that declares everything in JSON-LD", async () => {
  const found = await read(
    linked({
      "@context": "https://schema.org",
      "@type": "NewsArticle",
      headline: "Harbour",
      author: [{ "@type": "Person", name: "Jane Doe" }, "John Roe"],
      publisher: {
        "@type": "Organization",
        name: "The Site",
        logo: { url: "https://a.example/l.png" },
      },
      datePublished: "2024-05-03T10:00:00Z",
      inLanguage: "en-GB",
      description: "Ships &amp; <b>sailors</b>.",
      image: [{ "@type": "ImageObject", url: "/lead.jpg" }],
    }),
  );
  assert.deepEqual(found, {
    authors: ["Jane Doe", "John Roe"],
    site_name: "The Site",
    published_at: "2024-05-03T10:00:00Z",
    language: "en-GB",
    excerpt: "Ships & sailors.",
    lead_image_url: "https://www.site.example/lead.jpg",
  });
});

test("a graph whose parts refer to each other", async () => {
  const found = await read(
    linked({
      "@graph": [
        {
          "@type": "WebSite",
          "@id": "#site",
          name: "Blog of Jane",
          description: "All about ships.",
        },
        { "@type": "Person", "@id": "#jane", name: "Jane Doe" },
        { "@type": "ImageObject", "@id": "#image", url: "https://a.example/lead.jpg" },
        {
          "@type": ["Article", "BlogPosting"],
          author: { "@id": "#jane" },
          image: { "@id": "#image" },
          isPartOf: { "@id": "#site" },
        },
      ],
    }) + meta("description", "All about ships."),
  );
  assert.deepEqual(found.authors, ["Jane Doe"]);
  assert.equal(found.site_name, "Blog of Jane");
  assert.equal(found.lead_image_url, "https://a.example/lead.jpg");
  assert.equal(found.excerpt, null);
});

test("JSON-LD that is broken, odd or not about the article", async () => {
  const odd = [null, 1, [[]], { "@type": 7, author: 5 }, { "@graph": "x", "@id": {} }];
  const found = await read(
    `<script type="application/ld+json">{"@type": "Article",</script>${odd.map(linked).join("")}` +
      linked({ "@type": "BreadcrumbList", name: "Home" }) +
      linked({
        "@type": "Article",
        author: { name: { x: 1 } },
        image: 5,
        datePublished: ["2024-05-03"],
        publisher: "P",
      }),
  );
  assert.deepEqual(found.authors, []);
  assert.equal(found.published_at, "2024-05-03");
  assert.equal(found.site_name, "P");
});

test("OpenGraph and its kin", async () => {
  const found = await read(
    meta("og:site_name", "The Site") +
      '<meta property="og:description" content="Ships &amp;amp; sailors">' +
      '<meta property="article:published_time" content="2024-05-03">' +
      '<meta property="article:author" content="https://www.facebook.com/jane">' +
      '<meta property="og:image" content="//img.example/a.jpg">' +
      meta("author", "Jane Doe and John Roe"),
    "",
    'lang="de-AT"',
  );
  assert.deepEqual(found, {
    authors: ["Jane Doe", "John Roe"],
    site_name: "The Site",
    published_at: "2024-05-03",
    language: "de-AT",
    excerpt: "Ships &amp; sailors",
    lead_image_url: "https://img.example/a.jpg",
  });
});

describe("authors", () => {
  /** @type {[string, string, string, string[]][]} */
  const CASES = [
    [
      "of papers",
      meta("citation_author", "Doe, Jane") + meta("citation_author", "Roe, J. B."),
      "",
      ["Jane Doe", "J. B. Roe"],
    ],
    ["of libraries", meta("DC.Creator", "Doe, Jane"), "", ["Jane Doe"]],
    ["with suffixes", meta("citation_author", "John Roe, Jr."), "", ["John Roe, Jr."]],
    [
      "twice are one",
      linked({ "@type": "Article", author: ["Jane Doe", "JANE DOE"] }),
      "",
      ["JANE DOE"],
    ],
    ["as feeds write them", meta("author", "jane@site.example (Jane Doe)"), "", ["Jane Doe"]],
    [
      "by name, not by role",
      meta("author", "admin"),
      '<p class="byline">By Jane Doe</p>',
      ["Jane Doe"],
    ],
    [
      "above the site",
      meta("og:site_name", "The Site") + meta("author", "The Site"),
      '<a rel="author">Jane Doe</a>',
      ["Jane Doe"],
    ],
    [
      "that are the site, as it says itself",
      meta("og:site_name", "The Site") + meta("author", "The Site"),
      "",
      ["The Site"],
    ],
    [
      "not the site by its byline alone",
      meta("og:site_name", "The Site"),
      '<p class="byline">By The Site</p>',
      [],
    ],
    [
      "in a line with its date",
      "",
      '<p class="byline">By Jane Doe and John Roe | 3 May 2024, 10:00</p>',
      ["Jane Doe", "John Roe"],
    ],
    ["in a line with a role", "", '<p class="byline">By Jane Doe, Staff Writer</p>', ["Jane Doe"]],
    [
      "in a line with the date below",
      "",
      '<p class="byline">Jane Doe<br>\nPublished on May 3</p>',
      ["Jane Doe"],
    ],
    [
      "with a link to their pages",
      "",
      '<p><a rel="author" href="/jane">Jane Doe</a> <a rel="author" href="/jane">View my profile</a></p>',
      ["Jane Doe"],
    ],
    ["in other scripts", meta("author", "山田太郎"), "", ["山田太郎"]],
    ["with commas in one name stay one", meta("author", "Doe, Roe, Poe"), "", ["Doe, Roe, Poe"]],
  ];
  for (const [what, head, top, expected] of CASES) {
    test(what, async () => assert.deepEqual((await read(head, top)).authors, expected));
  }

  test("are not more than twenty", async () => {
    const many = Array.from({ length: 50 }, (_, n) => meta("citation_author", `Doe ${n}, Jane`));
    assert.equal((await read(many.join(""))).authors.length, 20);
  });
});

describe("dates", () => {
  const CASES = [
    [
      "of a time element",
      '<time pubdate datetime="2024-05-03T10:00">3 May</time>',
      "2024-05-03T10:00",
    ],
    [
      "of microdata",
      '<abbr itemprop="datePublished" title="2016-05-08">May 8</abbr>',
      "2016-05-08",
    ],
  ];
  for (const [what, top, expected] of CASES) {
    test(what, async () => assert.equal((await read("", top)).published_at, expected));
  }
  test("that say nothing are passed over", async () => {
    const head = meta("date", "yesterday") + meta("pubdate", "20240503");
    assert.equal((await read(head)).published_at, "20240503");
  });
});

test("logos are no lead images", async () => {
  const head =
    meta("og:image", "https://a.example/img/site-logo.png") +
    meta("twitter:image", "https://a.example/own.png") +
    linked({ "@type": "Article", publisher: { name: "S", logo: "https://a.example/own.png" } });
  assert.equal((await read(head)).lead_image_url, null);
  assert.equal((await read(meta("og:image", "javascript:alert(1)"))).lead_image_url, null);
  const picture = "https://a.example/iconic-harbour-logotypes.jpg";
  assert.equal((await read(meta("og:image", picture))).lead_image_url, picture);
});

test("the site is named without its motto", async () => {
  const head =
    meta("og:site_name", "The Site - all that is new") +
    linked({ "@type": "WebSite", name: "The Site" });
  assert.equal((await read(head)).site_name, "The Site");
});
