import { expect, it } from "vitest";
import { checkFile } from "./fileCheck";

const MIB = 1024 * 1024;

it.each([
  ["a.pdf", 1, "pdf"],
  ["A.PDF", 100 * MIB, "pdf"],
  ["book.epub", 50 * MIB, "epub"],
])("takes %s of %d bytes", (name, size, kind) => {
  expect(checkFile({ name, size })).toMatchObject({ kind: { kind } });
});

it.each([
  ["notes.txt", 10, /Only PDF and EPUB/],
  ["pdf", 10, /Only PDF and EPUB/],
  ["a.pdf.exe", 10, /Only PDF and EPUB/],
  ["a.pdf", 0, /empty/],
  ["a.pdf", 100 * MIB + 1, /larger than 100 MB, the limit for PDF/],
  ["a.epub", 72 * MIB, /larger than 50 MB/],
  [`${"x".repeat(252)}.pdf`, 10, /longer than 255/],
])("refuses %s of %d bytes", (name, size, problem) => {
  expect(checkFile({ name, size })).toMatchObject({ problem: expect.stringMatching(problem) });
});

it("takes only the kind of the item that waits for a file", () => {
  expect(checkFile({ name: "a.epub", size: 1 }, "pdf")).toHaveProperty("problem");
  expect(checkFile({ name: "a.pdf", size: 1 }, "pdf")).toHaveProperty("kind");
});
