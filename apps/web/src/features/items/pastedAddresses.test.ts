import { expect, it } from "vitest";
import { findAddresses, MAX_AT_ONCE } from "./pastedAddresses";

it.each([
  ["https://a.test/x", ["https://a.test/x"]],
  ["  https://a.test/x  \n", ["https://a.test/x"]],
  ["HTTPS://A.test/X", ["HTTPS://A.test/X"]],
  ["https://a.test https://b.test", ["https://a.test", "https://b.test"]],
  [
    "https://a.test\r\nhttps://b.test\n\nhttps://c.test",
    ["https://a.test", "https://b.test", "https://c.test"],
  ],
  ["https://a.test https://a.test", ["https://a.test"]],
  ["Read this: https://a.test/x, then sleep.", ["https://a.test/x"]],
  ["(https://a.test/x)", ["https://a.test/x"]],
  ["[Title](https://a.test/x).", ["https://a.test/x"]],
  ["https://en.example.org/wiki/Mark_(sign)", ["https://en.example.org/wiki/Mark_(sign)"]],
  ["(see https://en.example.org/wiki/Mark_(sign))", ["https://en.example.org/wiki/Mark_(sign)"]],
  ["<https://a.test/x>", ["https://a.test/x"]],
  ['<a href="https://a.test/x">', ["https://a.test/x"]],
  ["https://a.test/?q=a,b;c&d=é", ["https://a.test/?q=a,b;c&d=é"]],
  ["http://[2001:db8::1]/x", ["http://[2001:db8::1]/x"]],
  ["https://müller.example/straße", ["https://müller.example/straße"]],
  ["example.org/a-page", ["https://example.org/a-page"]],
  ["news.example.co.uk", ["https://news.example.co.uk"]],
])("finds the addresses in %j", (text, addresses) => {
  expect(findAddresses(text)).toEqual({ addresses, rejected: [], leftOut: 0 });
});

it.each([
  "a plain sentence.",
  "end.Start of another",
  "notes.pdf",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "ftp://a.test/x",
  "https://",
  "https://user:secret@a.test/",
  `https://a.test/${"x".repeat(2048)}`,
  "someone@example.org",
])("rejects %j and says so", (text) => {
  expect(findAddresses(text)).toEqual({ addresses: [], rejected: [text], leftOut: 0 });
});

it("names the lines that are no address beside those that are", () => {
  expect(findAddresses("my list\nhttps://a.test\n- and this\nhttps://b.test")).toEqual({
    addresses: ["https://a.test", "https://b.test"],
    rejected: ["my list", "- and this"],
    leftOut: 0,
  });
});

it("takes a hundred at once and counts the rest", () => {
  const text = Array.from({ length: MAX_AT_ONCE + 7 }, (_, n) => `https://a.test/${n}`).join("\n");
  const found = findAddresses(text);
  expect(found.addresses).toHaveLength(MAX_AT_ONCE);
  expect(found.leftOut).toBe(7);
});

it("finds nothing in nothing", () => {
  expect(findAddresses(" \n ")).toEqual({ addresses: [], rejected: [], leftOut: 0 });
});
