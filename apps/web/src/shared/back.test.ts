import { expect, it } from "vitest";
import type { Library } from "../api/types";
import { placeWords } from "./back";

const essays = { id: "l 1", name: "Essays" } as Library;

it.each([
  ["/", "Back to inbox"],
  ["/all", "Back to all items"],
  ["/tags/To%20do", "Back to To do"],
  ["/tags/100%", "Back to 100%"],
  ["/?state=failed", "Back to inbox"],
  ["/libraries/l%201?sort=title", "Back to Essays"],
  ["/libraries/other", "Back to the library"],
  ["/highlights", "Back to highlights"],
  ["/read/m1#h=h1", "Back to the article"],
  ["/item/m1", "Back to the item"],
  ["/settings", "Back to settings"],
  ["/elsewhere", "Back"],
])("calls %s %j", (place, words) => {
  expect(placeWords(place, [essays])).toBe(words);
});
