import { describe, expect, it } from "vitest";
import { PageOffsets } from "./pageOffsets";

const PAGES = ["", "The first page.", "", "The second.", ""];
const TEXT = "The first page.\nThe second.";
const offsets = new PageOffsets([0, 0, 16, 16, 27], PAGES.length, TEXT.length);
const whole = {
  slice: (start: number, end: number) => TEXT.slice(start, end),
  length: TEXT.length,
};

describe("PageOffsets", () => {
  it("finds the page that has the text of an offset", () => {
    expect(offsets.pageOf(0)).toBe(1);
    expect(offsets.pageOf(15)).toBe(1);
    expect(offsets.pageOf(16)).toBe(3);
    expect(offsets.pageOf(26)).toBe(3);
  });

  it("accepts the pages of the text, and a newline where a page has a space", () => {
    for (const [page, text] of PAGES.entries()) {
      expect(offsets.matches(page, text, text.length, whole)).toBe(true);
    }
    const broken = {
      ...whole,
      slice: (a: number, b: number) => TEXT.replace("first ", "first\n").slice(a, b),
    };
    expect(offsets.matches(1, PAGES[1] ?? "", 15, broken)).toBe(true);
  });

  it("refuses other words, and words that are missing or too many", () => {
    expect(offsets.matches(1, "The worst page.", 15, whole)).toBe(false);
    expect(offsets.matches(1, "The first page", 14, whole)).toBe(false);
    expect(offsets.matches(3, "The second. And", 15, whole)).toBe(false);
  });

  it("counts places where there is no text", () => {
    const scan = new PageOffsets(null, 3, 0);
    expect(scan.hasText).toBe(false);
    const offset = scan.offsetAt({ page: 2, share: 0.25 });
    expect(scan.placeOf(offset)).toEqual({ page: 2, share: 0.25 });
  });
});
