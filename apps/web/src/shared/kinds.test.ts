import { expect, it } from "vitest";
import { LIMITS } from "../api/schema";
import { ADDED_KINDS, FILE_TYPES, fileNames, kindOf, kindOfAddress } from "./kinds";

it.each([
  ["https://example.org/a", "web_article"],
  ["https://youtu.be/dQw4w9WgXcQ", "video"],
  ["https://www.youtube.com/", "web_article"],
])("saves %s as %s", (url, kind) => {
  expect(kindOfAddress(url)).toBe(kind);
});

it("offers every file that the server takes, and nothing else", () => {
  expect(FILE_TYPES.map(({ kind }) => kind).sort()).toEqual(Object.keys(LIMITS.files).sort());
  expect(fileNames("or")).toBe("PDF or EPUB");
});

it("offers only kinds that can be added", () => {
  expect(ADDED_KINDS).toEqual(["web_article", "pdf", "epub", "video"]);
});

it("calls a kind it has never heard of an item", () => {
  expect(kindOf("hologram")).toMatchObject({ name: "Item", plural: "Items" });
});
