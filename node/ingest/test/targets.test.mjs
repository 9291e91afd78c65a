/** Links inside a page still lead somewhere after Readability: footnotes, references, contents. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { openReader, PAGE_URL } from "./support/in-page.mjs";
import { BODY } from "./support/site.mjs";

let reader;
before(async () => {
  reader = await openReader();
});
after(() => reader.close());

const read = async (html, head = "") =>
  (await reader.read(`<title>T</title>${head}<article>${BODY}${html}</article>`)).content;

const LINK = '<p>As said<sup><a href="#fn1">1</a></sup> before.</p>';

/** @type {[string, string][]} */
const TARGETS = [
  ["an element with text", '<ol><li id="fn1">NOTE one.</li></ol>'],
  ["a block around a paragraph", '<div id="fn1"><p>NOTE one.</p></div>'],
  ["nested blocks", '<div id="fn1"><div id="inner"><div><p>NOTE one.</p></div></div></div>'],
  ["an empty anchor in front of it", '<a id="fn1"></a><p>NOTE one.</p>'],
  ["an empty anchor in a paragraph of its own", '<p><a name="fn1"></a></p><p>NOTE one.</p>'],
  ["an empty block", '<div id="fn1"></div><div>NOTE one.</div>'],
  ["a heading", '<h2><a id="fn1"></a>NOTE one.</h2>'],
  ["an aside", '<aside id="fn1"><p>NOTE one.</p></aside>'],
  ["a footer of the article", '<footer><ol><li id="fn1"><p>NOTE one.</p></li></ol></footer>'],
];
for (const [what, html] of TARGETS) {
  test(`${what} stays a target`, async () => {
    const content = await read(LINK + html);
    assert.match(content, /<a href="#fn1">1<\/a>/);
    assert.match(content, /<span id="fn1"><\/span>NOTE one\./);
  });
}

test("a picture stays a target", async () => {
  const content = await read(
    '<p>See <a href="#fig">the figure</a>.</p><figure id="fig"><img src="/f.png"><figcaption>Fig.</figcaption></figure>',
  );
  assert.match(content, /<span id="fig"><\/span><img/);
});

test("the way back stays as well", async () => {
  const content = await read(
    '<p id="p">As<sup id="ref1"><a href="#fn1">1</a></sup> said.</p><p id="fn1"><a href="#ref1">^</a> NOTE.</p>',
  );
  assert.match(content, /<a href="#fn1"><span id="ref1"><\/span>1<\/a>/);
  assert.match(content, /<a href="#ref1"><span id="fn1"><\/span>\^<\/a>/);
});

test("links to the page by its address are links inside it", async () => {
  const content = await read(
    `<p>See <a href="${PAGE_URL}#fn1">the note</a>.</p><p id="fn1">NOTE one.</p>`,
  );
  assert.match(content, /<a href="#fn1">the note<\/a>/);
});

test("so they are under another base", async () => {
  const content = await read(
    `<p>See <a href="${PAGE_URL}#fn1">the note</a>, <a href="#x">elsewhere</a>.</p><p id="fn1">NOTE one.</p>`,
    '<base href="https://other.example/">',
  );
  assert.match(content, /<a href="#fn1">the note<\/a>/);
  assert.match(content, /<a href="https:\/\/other\.example\/#x">elsewhere<\/a>/);
});

test("encoded names lead to their targets", async () => {
  const content = await read(
    '<p>See <a href="#%C3%A9t%C3%A9">it</a>.</p><p id="été">NOTE one.</p>',
  );
  assert.match(content, /<a href="#%C3%A9t%C3%A9">it<\/a>/);
  assert.match(content, /<span id="été"><\/span>NOTE one\./);
});

test("what nothing leads to is left alone", async () => {
  const content = await read('<p id="lonely">Alone.</p><aside id="x">Aside.</aside>');
  assert.match(content, /<p id="lonely">Alone\.<\/p>/);
  assert.doesNotMatch(content, /Aside\./);
});

test("an aside that only a menu leads to stays out", async () => {
  const content = await read(
    '<p>Skip to <a href="#side">more</a>.</p><aside id="side">Aside.</aside>',
  );
  assert.doesNotMatch(content, /Aside\./);
});

test("a step that fails does not fail the article", async () => {
  const start = "function keepTargets(copy) {";
  const { content, complaints } = await reader.readAnyway(
    `<title>T</title><article>${BODY}${LINK}<p id="fn1">NOTE one.</p></article>`,
    (script) => script.replace(start, `${start} throw new TypeError("broken");`),
  );
  assert.deepEqual(complaints, ["targets: TypeError: broken"]);
  assert.match(content, /Part 11\. The harbour.*NOTE one\./s);
});
