// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { type CanonicalMap, canonicalize } from "../../../canonical";
import { insideTarget } from "./insideLink";
import { noteOf, noteReferences } from "./notes";

const MARK = /\{(\w+)\}/g;

/** An article with links inside it: `#name` leads to where the text says `{name}`. */
function article(html: string): CanonicalMap {
  const text = canonicalize(boxOf(html)).text;
  const offsets = new Map<string, number>();
  for (const { 1: name = "", index } of text.matchAll(MARK)) {
    offsets.set(name, [...text.slice(0, index).replace(MARK, "")].length);
  }
  const linked = html.replace(
    /href="#(\w+)"/g,
    (_, name) => `href="#offset-0-${offsets.get(name)}"`,
  );
  return canonicalize(boxOf(linked.replace(MARK, "")));
}

function boxOf(html: string): HTMLElement {
  const box = document.createElement("div");
  box.innerHTML = html;
  return box;
}

/** The texts of the links that open a note, and what each note says. */
function notesIn(html: string): [string, string | undefined][] {
  const map = article(html);
  const references = noteReferences(map);
  return [...references].map((link) => [
    link.textContent,
    noteOf(map, link, references)?.content.textContent?.replace(/\s+/g, " ").trim(),
  ]);
}

it("reads the place out of an address, and only out of one of its own form", () => {
  expect(insideTarget("#offset-0-1234")).toEqual({ fragment: 0, offset: 1234 });
  for (const other of ["#offset-0-", "#offset-0-1x", "#h=1", "", null, "/x#offset-0-1"]) {
    expect(insideTarget(other)).toBeNull();
  }
});

it.each([
  ["<sup><a href='#n'>1</a></sup>", "1"],
  ["<a href='#n'><sup>1</sup></a>", "1"],
  ["<sup><a href='#n'>a</a></sup>", "a"],
  ["<a href='#n'>[12]</a>", "[12]"],
  ["<a href='#n'>[note 3]</a>", "[note 3]"],
  ["[<a href='#n'>12</a>]", "12"],
  ["<a href='#n'>*</a>", "*"],
  ["<a href='#n'>††</a>", "††"],
  ["<a href='#n'>²</a>", "²"],
  ["<a href='#n'>note 3</a>", "note 3"],
])("takes %s for a reference to a note", (link, text) => {
  const html = `<p>Words.${link.replaceAll("'", '"')} More.</p><p>{n}The note.</p>`;
  expect(notesIn(html)).toEqual([[text, "The note."]]);
});

it.each([
  ["a word", '<p><a href="#n">later on</a></p><p>{n}Later.</p>'],
  ["a number without anything else", '<p>Table <a href="#n">1</a></p><p>{n}Table 1: Tides</p>'],
  ["a letter of an index", '<p><a href="#n">B</a></p><p>{n}Bay, a body of water</p>'],
  ["what leads to a heading", '<p><sup><a href="#n">1</a></sup></p><h2>{n}First</h2>'],
  ["what leads back", '<p>{n}Words.</p><p>A note. <sup><a href="#n">1</a></sup></p>'],
  ["what leads to its own paragraph", '<p><sup><a href="#n">1</a></sup> and {n}more</p>'],
])("does not take %s for a reference to a note", (_, html) => {
  expect(notesIn(html)).toEqual([]);
});

it("takes a bare number for one where the note has it too, or leads back", () => {
  const first = '<p>{r}Words (<a href="#n">1</a>).</p><p>{n}1. The note.</p>';
  expect(notesIn(first)).toEqual([["1", "1. The note."]]);
  const second = '<p>{r}Words <a href="#n">(2)</a>.</p><p>{n}The note. <a href="#r">↩</a></p>';
  expect(notesIn(second)).toEqual([["(2)", "The note."]]);
});

it.each([
  ["an item with paragraphs", "<ol><li><p>{n}One.</p><p>Two. <a href='#r'>↩︎</a></p></li></ol>"],
  [
    "an item that begins with ways back",
    "<ol><li>{n}<b><a href='#r'>^</a></b> One. Two.</li></ol>",
  ],
  [
    "an item with several ways back",
    "<ol><li>{n}^ <a href='#r'><sup><i>a</i></sup></a> <a href='#r'><sup>b</sup></a> One. Two.</li></ol>",
  ],
  ["a paragraph with its number", "<p>{n}[<a href='#r'>1</a>] One. Two.</p>"],
  ["a way back in brackets", "<p>{n}One. Two. [<a href='#r'>↩</a>]</p>"],
  ["a row", "<table><tr><td>{n}<a href='#r'>1</a></td><td>One. Two.</td></tr></table>"],
  [
    "a paragraph of its own for the way back",
    "<li><p>{n}One. Two.</p><p><a href='#r'>↑</a></p></li>",
  ],
])("shows the words of %s", (_, note) => {
  const html = `<p>Words.{r}<sup><a href="#n">1</a></sup></p>${note.replaceAll("'", '"')}<p>End</p>`;
  expect(notesIn(html)[0]?.[1]?.replace("One.Two.", "One. Two.")).toBe("One. Two.");
});

it("keeps links that lead elsewhere, and to other notes", () => {
  const map = article(
    `<p>Words.{r}<sup><a href="#n">1</a></sup></p>
     <ol><li>{n}See <a href="https://example.org/">there</a> and <a href="#m">the next</a>.</li>
     <li>{m}Next.</li></ol>`,
  );
  const references = noteReferences(map);
  const [link] = references;
  const content = link && noteOf(map, link, references)?.content;
  const links = [...(content?.querySelectorAll("a") ?? [])];
  expect(links.map((one) => one.textContent)).toEqual(["there", "the next"]);
});

it("ends a note where the next one begins in the same paragraph", () => {
  const html = `<p>Words.<sup><a href="#a">1</a></sup> More.<sup><a href="#b">2</a></sup></p>
    <p>{a}1. First.<br>{b}2. Second.</p>`;
  expect(notesIn(html)).toEqual([
    ["1", "1. First."],
    ["2", "2. Second."],
  ]);
});

it("leaves a note as it is that begins with brackets or has no words", () => {
  const brackets =
    '<p>{r}Words.<sup><a href="#n">1</a></sup></p><p>{n}(See <i>there</i>.) <a href="#r">↩</a></p>';
  expect(notesIn(brackets)).toEqual([["1", "(See there.)"]]);
  const nothing = '<p>{r}Words.<sup><a href="#n">1</a></sup></p><p>{n}<a href="#r">↩</a></p>';
  expect(notesIn(nothing)).toEqual([["1", undefined]]);
});
