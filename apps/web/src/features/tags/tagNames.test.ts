import { expect, it } from "vitest";
import { editOf, tagsOf, withoutTag, withTag } from "./chosenTags";
import { checkTag, knownSpelling, suggestTags } from "./tagNames";

const KNOWN = [
  { name: "AI", count: 3 },
  { name: "history", count: 9 },
  { name: "natural history", count: 20 },
  { name: "prehistory", count: 30 },
  { name: "Zoë", count: 1 },
];

it.each([
  ["  deep   sea ", { name: "deep sea" }],
  ["Zoe\u0308", { name: "Zoë" }],
  ["x".repeat(100), { name: "x".repeat(100) }],
])("takes %j", (text, check) => expect(checkTag(text)).toEqual(check));

it.each(["", "  ", "a,b", 'a"b', ".", "..", "x".repeat(101)])("does not take %j", (text) =>
  expect(checkTag(text)).toHaveProperty("problem"),
);

it("completes from the beginning first, then from words, then from anywhere", () => {
  expect(suggestTags("HIST", KNOWN, [])).toEqual(["history", "natural history", "prehistory"]);
  expect(suggestTags("hist", KNOWN, ["History"])).toEqual(["natural history", "prehistory"]);
  expect(suggestTags("nothing like it", KNOWN, [])).toEqual([]);
});

it("suggests the most used while nothing is typed", () => {
  expect(suggestTags("", KNOWN, []).slice(0, 2)).toEqual(["prehistory", "natural history"]);
});

it("keeps the spelling that is there", () => {
  expect(knownSpelling("ai", KNOWN)).toBe("AI");
  expect(knownSpelling("new", KNOWN)).toBe("new");
});

it("adds to all, takes off all, and leaves alone what only some have", () => {
  const before = tagsOf([{ tags: ["b", "a"] }, { tags: ["a", "c"] }, { tags: ["a", "c"] }]);
  expect(before).toEqual([
    { name: "a", count: 3 },
    { name: "b", count: 1 },
    { name: "c", count: 2 },
  ]);
  expect(editOf(before, before, 3)).toBeNull();
  const after = withTag(withTag(withoutTag(before, "A"), "C", 3), "new", 3);
  expect(editOf(before, after, 3)).toEqual({ addTags: ["c", "new"], removeTags: ["a"] });
});
