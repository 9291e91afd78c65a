import { expect, it } from "vitest";
import { findPattern } from "./findPattern";

function found(text: string, query: string): string[] {
  const pattern = findPattern(query);
  return pattern ? [...text.matchAll(pattern)].map(([match]) => match) : [];
}

it.each([
  ["any case", "One one ONE oNe", "one", ["One", "one", "ONE", "oNe"]],
  ["accents or none", "café CAFÉ cafe cafè", "cafe", ["café", "CAFÉ", "cafe", "cafè"]],
  ["accents in the query", "cafe café", "Café", ["cafe", "café"]],
  ["accents as marks of their own", "cafe\u0301 noir", "café noir", ["cafe\u0301 noir"]],
  ["a mark in the query", "café", "cafe\u0301", ["café"]],
  ["the accent of the last letter", "cafe\u0301", "cafe", ["cafe\u0301"]],
  ["letters that Unicode does not take apart", "Søren Łódź", "soren lodz", ["Søren Łódź"]],
  ["a hyphen at the end of a line", "for exam-ple here", "example", ["exam-ple"]],
  ["a hyphen at the end of a page", "for exam- ple", "example", ["exam- ple"]],
  ["a soft hyphen", "exam\u00adple", "example", ["exam\u00adple"]],
  [
    "a hyphen in the query",
    "well-known wellknown well‐known",
    "well-known",
    ["well-known", "wellknown", "well‐known"],
  ],
  ["a hyphen being typed", "well-known", "well-", ["well"]],
  ["numbers as they are", "34 3-4 3–4", "34", ["34"]],
  ["dashes between numbers", "2010–2015", "2010-2015", ["2010–2015"]],
  ["ligatures", "ﬁsh oﬃce ﬂow", "fish", ["ﬁsh"]],
  ["long ligatures", "oﬃce oﬀice", "office", ["oﬃce", "oﬀice"]],
  ["from inside of a ligature", "ﬁsh", "ish", ["ﬁsh"]],
  ["up to the inside of a ligature", "oﬃce", "of", ["oﬃ"]],
  ["ligatures in the query", "fish", "ﬁsh", ["fish"]],
  ["sharp s", "Straße STRASSE", "strasse", ["Straße", "STRASSE"]],
  ["any white space", "two\nlines two  lines", "two lines", ["two\nlines", "two  lines"]],
  ["white space around the query", "a b", "  a  ", ["a"]],
  ["straight quotes", "it’s “so”", 'it\'s "so"', ["it’s “so”"]],
  [
    "what means something in patterns",
    "a.b*c [x] (y) \\ $1 a-b",
    "[x] (y) \\ $1",
    ["[x] (y) \\ $1"],
  ],
  ["one dash", "a – b", "-", ["–"]],
  ["astral letters", "the 𝑥 and 😀 here", "😀 here", ["😀 here"]],
  ["letters of formulas", "let 𝑥 be", "let x be", ["let 𝑥 be"]],
  ["another letter for Kana with a mark", "か が", "か", ["か"]],
  ["whole syllables of Hangul", "각 가", "가", ["가"]],
  ["Greek at the end of a word", "ΛΌΓΟΣ λόγος", "λογος", ["ΛΌΓΟΣ", "λόγος"]],
  ["Cyrillic", "Ёлка елка", "елка", ["Ёлка", "елка"]],
  ["points", "שָׁלוֹם", "שלום", ["שָׁלוֹם"]],
])("finds %s", (_what, text, query, matches) => {
  expect(found(text, query)).toEqual(matches);
});

it.each(["", "  ", "\u0301", "\u00ad"])("looks for nothing with %j", (query) => {
  expect(findPattern(query)).toBeNull();
});
