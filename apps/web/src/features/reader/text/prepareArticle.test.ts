// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { isRightToLeft, prepareArticle } from "./prepareArticle";

function prepared(html: string): HTMLElement {
  const template = document.createElement("template");
  template.innerHTML = html;
  prepareArticle(template.content, []);
  const root = document.createElement("div");
  root.append(template.content);
  return root;
}

function direction(root: HTMLElement, selector: string): string | null {
  return root.querySelector(selector)?.getAttribute("dir") ?? null;
}

test("a quote in Arabic has its edge where its lines begin", () => {
  const root = prepared("<p>Text</p><blockquote><p>مرحبا بالعالم</p></blockquote>");
  expect(direction(root, "blockquote")).toBe("rtl");
  expect(direction(root, "blockquote p")).toBe("auto");
  expect(direction(prepared("<ul><li>one</li></ul>"), "ul")).toBe("ltr");
});

test("a direction that the text brings along stays", () => {
  const root = prepared('<blockquote dir="rtl"><p dir="ltr">a</p><p>b</p></blockquote>');
  expect(direction(root, "blockquote")).toBe("rtl");
  expect(direction(root, "p")).toBe("ltr");
  expect(direction(root, "p + p")).toBe("auto");
});

test("the image of a figure stands alone, whatever its caption", () => {
  const root = prepared(
    "<figure><img alt='a'><figcaption>b <img alt='c'></figcaption></figure><p>d <img alt='e'></p>",
  );
  const alone = [...root.querySelectorAll<HTMLElement>("[data-alone]")];
  expect(alone.map((image) => image.getAttribute("alt"))).toEqual(["a"]);
});

const ENGLISH = "Tides follow the moon. ";
const ARABIC = "المد يتبع القمر. ";

test.each([
  ["most letters decide", ARABIC, null, true],
  ["most letters decide", ENGLISH, null, false],
  ["whatever the page says its language is", ARABIC, "en", true],
  ["whatever the page says its language is", ENGLISH, "ar", false],
  ["the language decides where the letters are mixed", ENGLISH.repeat(3) + ARABIC, "ar-EG", true],
  ["the language decides where the letters are mixed", ENGLISH.repeat(3) + ARABIC, "en", false],
  ["a language can be written in two directions", ENGLISH.repeat(3) + ARABIC, "az-Arab", true],
  ["what is no language does no harm", ENGLISH, "not a language", false],
])("%s (%#)", (_, text, language, expected) => {
  expect(isRightToLeft(text, language)).toBe(expected);
});
