// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { canonicalize } from "../../../canonical";
import { preparePaged } from "./pagedText";

function article(html: string): HTMLElement {
  const root = document.createElement("section");
  root.innerHTML = html;
  return root;
}

const page = (number: number, offset: number, label = String(number)) => ({
  number,
  label,
  offset,
});

/** The text with its marks, as somebody sees it. */
function shown(root: HTMLElement): string {
  const copy = root.cloneNode(true) as HTMLElement;
  for (const mark of copy.querySelectorAll<HTMLElement>("[data-page]")) {
    mark.replaceWith(`[${mark.dataset.page}]`);
  }
  return canonicalize(copy).text;
}

it("marks pages where they begin, in the middle of words too, and leaves the text as it is", () => {
  const root = article(
    "<p>One 😀 begins. It goes on.</p>Two exam<del>-</del>ple ends.<p>Last.</p>",
  );
  const before = canonicalize(root).text;
  const at = (words: string) => [...before.slice(0, before.indexOf(words))].length;
  const pages = [page(1, 0, "i"), page(2, at("It"), "ii"), page(3, at("ple")), page(4, at("Last"))];
  preparePaged(root, pages, root);
  expect(shown(root)).toBe("[i]One 😀 begins. [ii]It goes on.\nTwo exam-[3]ple ends.\n[4]Last.");
  expect(canonicalize(root).text).toBe(before);
  expect(root.querySelectorAll("[data-page]:not(:empty)")).toHaveLength(0);
});

it("marks a place once, for the page that has the text", () => {
  const root = article("<p>One.</p>Three.");
  preparePaged(root, [page(1, 0), page(2, 5), page(3, 5), page(4, 11), page(5, 11)], root);
  expect(shown(root)).toBe("[1]One.\n[3]Three.");
});

it("makes a paragraph of text without an element of its own", () => {
  const root = article("<h1>A</h1>b <small>3</small> c<p>d</p>\n<p>e</p>f<br><sup>1</sup> g");
  const before = canonicalize(root).text;
  preparePaged(root, [], root);
  const blocks = [...root.querySelectorAll(":scope > h1, [data-sheet] > *")];
  expect(blocks.map(({ localName, textContent }) => [localName, textContent])).toEqual([
    ["h1", "A"],
    ["span", "b 3 c"],
    ["p", "d"],
    ["p", "e"],
    ["span", "f"],
    ["br", ""],
    ["span", "1 g"],
  ]);
  expect(canonicalize(root).text).toBe(before);
});

it("lays out paragraphs some at a time, and headings by themselves", () => {
  const many = "<p>One.</p>Two.".repeat(60);
  const root = article(`${many}<h1>A</h1>${many}`);
  const before = canonicalize(root).text;
  preparePaged(root, [], root);
  const boxes = [...root.children].map(({ localName, children }) => [localName, children.length]);
  const sheets = [40, 40, 40].map((blocks) => ["span", blocks]);
  expect(boxes).toEqual([...sheets, ["h1", 0], ...sheets]);
  expect(canonicalize(root).text).toBe(before);
});
