import { expect, it } from "vitest";
import { markedParts } from "./markedParts";

const shown = (text: string, hits: [number, number][]) =>
  markedParts(text, hits).map(({ text: part, hit }) => (hit ? `[${part}]` : part));

it("cuts a text at its hits", () => {
  expect(
    shown("the tide and the moon", [
      [4, 8],
      [17, 21],
    ]),
  ).toEqual(["the ", "[tide]", " and the ", "[moon]"]);
  expect(shown("tide", [])).toEqual(["tide"]);
  expect(shown("", [[0, 3]])).toEqual([]);
});

it("counts code points, and never cuts through a character", () => {
  expect(
    shown("🐟🐟 fish 𝒇ish", [
      [3, 7],
      [8, 12],
    ]),
  ).toEqual(["🐟🐟 ", "[fish]", " ", "[𝒇ish]"]);
});

it("takes text that looks like HTML for text", () => {
  expect(shown("a <b>bold</b> &amp; claim", [[2, 5]])).toEqual([
    "a ",
    "[<b>]",
    "bold</b> &amp; claim",
  ]);
});

it("takes hits in any order, and ignores what makes no sense", () => {
  expect(
    shown("abcdef", [
      [3, 5],
      [0, 2],
    ]),
  ).toEqual(["[ab]", "c", "[de]", "f"]);
  expect(
    shown("abcdef", [
      [0, 3],
      [2, 5],
    ]),
  ).toEqual(["[abc]", "[de]", "f"]);
  expect(
    shown("abcdef", [
      [4, 99],
      [7, 9],
      [5, 5],
      [3, 1],
    ]),
  ).toEqual(["abcd", "[ef]"]);
});
