import { afterEach, expect, it, vi } from "vitest";
import { readyMedia, testMedia } from "../../testMedia";
import {
  authorWords,
  pageCount,
  percentRead,
  publishedWords,
  readingTime,
  readingTimeOf,
  shortAuthorWords,
  timeLeft,
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

it.each([
  [0, 2300, "10 min left"],
  [0.55, 2300, "5 min left"],
  [0.999, 2300, "1 min left"],
  [0.5, null, null],
])("says how much is left at %d of %j words", (progress, word_count, words) => {
  expect(timeLeft({ ...readyMedia({ word_count }), progress })).toBe(words);
});

it("calls nothing wholly read before its end", () => {
  expect([0, 0.004, 0.5, 0.999, 1].map((progress) => percentRead({ progress }))).toEqual([
    0, 0, 50, 99, 100,
  ]);
});
