// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { contentsOf } from "./contents";

it("lists headings in order, counts depth from the highest level used, leaves out the deepest", () => {
  const root = document.createElement("div");
  const add = (name: string, text: string) => {
    const heading = document.createElement(name);
    heading.textContent = text;
    root.append(heading);
  };
  add("h3", " One  more ");
  add("h2", "Two");
  add("h2", "   ");
  add("h5", "Three");
  add("h6", "Too deep");
  expect(contentsOf(root).map(({ text, depth }) => [text, depth])).toEqual([
    ["One more", 1],
    ["Two", 0],
    ["Three", 2],
  ]);
});
