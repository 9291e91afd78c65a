import { afterEach, expect, it, vi } from "vitest";
import { testMedia } from "../../testMedia";
import {
  authorWords,
  pageCount,
  publishedWords,
  readingTime,
  readingTimeOf,
  shortAuthorWords,
} from "./itemFacts";

afterEach(() => vi.unstubAllEnvs());

it.each([
  [{ word_count: 3 }, "1 min read"],
  [{ word_count: 2_300 }, "10 min read"],
  [{ word_count: 2_300, language: "ko" }, "10 min read"],
  [{ word_count: 900, language: "zh-Hans" }, "2 min read"],
  [{ word_count: 900, language: "ja" }, "2 min read"],
  [{ word_count: 900, title: "潮汐" }, "2 min read"],
  [{ word_count: 345_000 }, "1,500 min read"],
  [{ word_count: 0 }, null],
  [{ word_count: null }, null],
])("tells how long %o takes", (more, words) => {
  expect(readingTime(testMedia(more))).toBe(words);
});

it.each([
  [340, "340 pages"],
  [1, "1 page"],
  [4_999, "4,999 pages"],
  [0, null],
  [null, null],
])("counts %s pages", (page_count, words) => {
  expect(pageCount(testMedia({ page_count }))).toBe(words);
});

it.each([
  ["a few words", "1 min read"],
  ["word ".repeat(2300), "10 min read"],
  ["字".repeat(900), "2 min read"],
])("estimates the time for a text %#", (text, words) => {
  expect(readingTimeOf(text)).toBe(words);
});

it.each([
  [[], null, null],
  [["Ada"], "Ada", "Ada"],
  [["Ada", "Grace"], "Ada and Grace", "Ada and Grace"],
  [["Ada", "Grace", "Mary"], "Ada, Grace, and Mary", "Ada and 2 others"],
  [["The Daily Tide", " "], null, null],
])("names %o", (authors, all, few) => {
  const media = testMedia({ authors, site_name: "The daily tide" });
  expect(authorWords(media)).toBe(all);
  expect(shortAuthorWords(media)).toBe(few);
});

it.each([
  ["2014", "2014"],
  ["2014-03", "March 2014"],
  ["2014-03-05", "5 March 2014"],
  ["2014-03-05T23:59:00-11:00", "5 March 2014"],
  ["2014-03-05T00:01:00+14:00", "5 March 2014"],
  ["0987-01-01", "1 January 987"],
  [null, null],
  ["", null],
  ["soon", null],
  ["20140305", null],
])("writes %s in words, whatever the time zone", (published, words) => {
  vi.stubGlobal("navigator", { languages: ["de", "en-GB"] });
  for (const zone of ["Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago"]) {
    vi.stubEnv("TZ", zone);
    expect(publishedWords(published)).toBe(words);
  }
});

it("writes a day as the person's English does", () => {
  vi.stubGlobal("navigator", { languages: ["en-US@posix", "en-US"] });
  expect(publishedWords("2014-03-05")).toBe("March 5, 2014");
});
