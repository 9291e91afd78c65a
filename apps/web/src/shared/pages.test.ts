import { expect, it } from "vitest";
import { PageIndex, pageWords, spokenPageWords } from "./pages";

const page = (number: number, label: string, fragment_id: string, offset: number) => ({
  number,
  label,
  fragment_id,
  offset,
});

const INDEX = new PageIndex({
  fragments: [
    { id: "a", idx: 0, label: null, length: 39 },
    { id: "b", idx: 1, label: null, length: 10 },
  ],
  pages: [
    page(1, "i", "a", 0),
    page(2, "ii", "a", 14),
    // Without text: it begins where the next one does.
    page(3, "iii", "a", 27),
    page(4, "1", "a", 27),
    page(5, " ", "b", 4),
  ],
});

const at = (start: number, end: number, fragment_id = "a") =>
  INDEX.of({ fragment_id, start_offset: start, end_offset: end });

it.each([
  [0, 5, "p. i", "page i"],
  [13, 14, "p. i", "page i"],
  [14, 26, "p. ii", "page ii"],
  [12, 15, "pp. i–ii", "pages i to ii"],
  [0, 39, "pp. i–1", "pages i to 1"],
  [27, 39, "p. 1", "page 1"],
])("says where %i to %i is", (start, end, words, spoken) => {
  expect(pageWords(at(start, end))).toBe(words);
  expect(spokenPageWords(at(start, end))).toBe(spoken);
});

it("knows a page that begins in an earlier part, and one without a label", () => {
  expect(pageWords(at(0, 3, "b"))).toBe("p. 1");
  expect(pageWords(at(4, 6, "b"))).toBe("p. 5");
});

it("has nothing to say of what has no pages", () => {
  expect(pageWords({ page: null, end_page: null })).toBeNull();
  expect(at(0, 3, "unknown")).toEqual({ page: null, end_page: null });
  const empty = new PageIndex({ fragments: [], pages: [] });
  expect(empty.of({ fragment_id: "a", start_offset: 0, end_offset: 1 }).page).toBeNull();
});
