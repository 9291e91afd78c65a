/** Readability in the browser finds what it finds in jsdom, on the same HTML. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Readability } from "@mozilla/readability";
import { JSDOM, VirtualConsole } from "jsdom";

import { readability, titleFromUrl } from "../src/extract.mjs";
import { launchDrivenBrowser } from "./support/driven-browser.mjs";
import { BODY } from "./support/site.mjs";

const URL_OF_PAGE = "https://site.example/a/page";

let browser;
let page;
before(async () => {
  browser = await launchDrivenBrowser();
  page = await browser.newPage();
  await page.addScriptTag({ content: readability });
});
after(() => browser.close());

const PAGES = {
  plain: `<title>Plain | Site</title><article>${BODY}</article>`,
  "with navigation": `<nav><a href="/x">x</a></nav><div class="sidebar"><ul><li><a href=y>y</a></ul></div><div id=main>${BODY}</div><footer>f</footer>`,
  "line breaks": `<div>${"one line of text, long enough<br><br>".repeat(30)}</div>`,
  "lazy images": `<article><img data-src="/lazy.jpg"><noscript><img src="real.jpg"></noscript>${BODY}<picture><source srcset="a.webp 2x"><img src="a.png"></picture></article>`,
  "a table": `<article>${BODY}<table><thead><tr><th>a<th>b</tr></thead><tr><td>1<td>2</tr></table></article>`,
  "broken nesting": `<article><p>one<p>two<div><b><p>three</b>four${BODY}<table><p>out</table></article>`,
  "code and quotes": `<article>${BODY}<pre><code>if (a &lt; b) {\n  c();\n}</code></pre><blockquote>said &amp; done</blockquote></article>`,
  "other scripts": `<html dir=rtl lang=he><article><p>${"שלום עולם, זה משפט ארוך למדי. ".repeat(20)}<p>${"世界、こんにちは。".repeat(40)}</article>`,
  nothing: "<p></p>",
};

for (const [name, html] of Object.entries(PAGES)) {
  test(name, async () => {
    const dom = new JSDOM(html, { url: URL_OF_PAGE, virtualConsole: new VirtualConsole() });
    const expected = new Readability(dom.window.document).parse();
    const found = await page.evaluate(
      ([text, url]) => {
        const copy = new DOMParser().parseFromString(text, "text/html");
        for (const key of ["baseURI", "documentURI"])
          Object.defineProperty(copy, key, { value: url });
        return new /** @type {any} */ (window).Readability(copy).parse();
      },
      [html, URL_OF_PAGE],
    );
    assert.equal(found?.content, expected?.content);
    assert.equal(found?.title, expected?.title);
  });
}

test("a page without a title is called by its address", () => {
  assert.equal(titleFromUrl("https://site.example/a/b/?q#f"), "site.example/a/b");
  assert.equal(titleFromUrl("https://site.example/caf%C3%A9"), "site.example/café");
  assert.equal(titleFromUrl("https://site.example/%ff"), "site.example/%ff");
  assert.equal(titleFromUrl("https://site.example"), "site.example");
});
