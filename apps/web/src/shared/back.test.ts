import { expect, it } from "vitest";
import type { Library } from "../api/types";
import { placeWords } from "./back";

const essays = { id: "l 1", name: "Essays" } as Library;

it.each([
  ["/", "Back to all items"],
  ["/?state=failed", "Back to all items"],
  ["/library/l%201?sort=title", "Back to Essays"],
  ["/library/other", "Back to the library"],
  ["/highlights", "Back to highlights"],
  ["/read/m1#h=h1", "Back to the article"],
  ["/item/m1", "Back to the item"],
  ["/settings", "Back to settings"],
  ["/elsewhere", "Back"],
])("calls %s %j", (place, words) => {
  expect(placeWords(place, [essays])).toBe(words);
});
