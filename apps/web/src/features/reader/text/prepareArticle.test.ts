import { expect, test } from "vitest";
import { prepareArticle } from "./prepareArticle";

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
