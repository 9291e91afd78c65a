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

// An address alone is taken as it is, whatever it ends with.
it.each([
  "https://en.wikipedia.org/wiki/Airplane!",
  "https://en.wikipedia.org/wiki/Who's_Afraid_of_Virginia_Woolf?",
  "https://en.wikipedia.org/wiki/Guns_N'",
  "https://en.wikipedia.org/wiki/M*A*S*H*",
  "https://en.wikipedia.org/wiki/Inc.",
  "https://en.wikipedia.org/wiki/Lost_in...",
  "https://en.wikipedia.org/wiki/To_be_continued…",
  "https://a.test/snake_",
  "https://a.test/x)",
  "https://a.test/x,",
  "https://a.test/x;",
  "https://a.test/a(b",
  "https://zh.wikipedia.org/wiki/你好！",
  "https://ja.wikipedia.org/wiki/モーニング娘。",
  "https://a.test/say-“hi”",
  "https://web.archive.org/web/2020/https://a.test/x!",
])("takes %s alone as it is", (address) => {
  const taken = { addresses: [address], rejected: [], leftOut: 0 };
  expect(findAddresses(address)).toEqual(taken);
  expect(findAddresses(` \u200e\u2068${address}\u2069\u200b\n`)).toEqual(taken);
  expect(findAddresses(`- ${address}`)).toEqual(taken);
  expect(findAddresses(`12. ${address}`)).toEqual(taken);
  expect(findAddresses(`<${address}>`)).toEqual(taken);
  expect(findAddresses(`"${address}"`)).toEqual(taken);
  const list = findAddresses(`https://b.test/1!\n${address}\n\n* https://b.test/2.`);
  expect(list.addresses).toEqual(["https://b.test/1!", address, "https://b.test/2."]);
});

const FOO = "https://en.wikipedia.org/wiki/Foo_(bar)";

// In running text it is what the person meant.
it.each([
  ["Have you seen https://a.test/x! It is good.", ["https://a.test/x"]],
  ["Is it https://a.test/x?", ["https://a.test/x"]],
  ["Look at https://a.test/?q=1&r=2...", ["https://a.test/?q=1&r=2"]],
  ["Look at https://a.test/x…", ["https://a.test/x"]],
  [
    "First https://a.test/x, https://b.test/y; then https://c.test.",
    ["https://a.test/x", "https://b.test/y", "https://c.test"],
  ],
  [`It says (${FOO}) there.`, [FOO]],
  [`About ${FOO}, and ${FOO}.`, [FOO]],
  ["See https://a.test/file_name_ for more", ["https://a.test/file_name_"]],
  ["(https://a.test/x),(https://b.test/y)", ["https://a.test/x", "https://b.test/y"]],
  [`Read [this](${FOO}) and [that](https://a.test/wow!).`, [FOO, "https://a.test/wow!"]],
  ["[https://a.test/x](https://a.test/x)", ["https://a.test/x"]],
  ['A [link](https://a.test/x "Its title") here', ["https://a.test/x"]],
  ["A [link](<https://a.test/x.>) here", ["https://a.test/x."]],
  ["[1]: https://a.test/x", ["https://a.test/x"]],
  ["[[https://a.test/x][A page]]", ["https://a.test/x"]],
  ["Mail from <https://a.test/x!> today", ["https://a.test/x!"]],
  ["Chat: <https://a.test/x|a page with a name>", ["https://a.test/x"]],
  ["He wrote “https://a.test/x!” and left", ["https://a.test/x!"]],
  ['say "https://a.test/x?", please', ["https://a.test/x?"]],
  ["`https://a.test/x*` in code", ["https://a.test/x*"]],
  ["'https://a.test/it's-here' he said", ["https://a.test/it's-here"]],
  ["**https://a.test/x** is bold", ["https://a.test/x"]],
  ["_https://a.test/a_b_ leans", ["https://a.test/a_b"]],
  ["| https://a.test/x | a cell |", ["https://a.test/x"]],
  ["<a href='https://a.test/x'>x</a>", ["https://a.test/x"]],
  ['["https://a.test/x!", "https://b.test/y"]', ["https://a.test/x!", "https://b.test/y"]],
  ["请看https://a.test/x。然后睡觉", ["https://a.test/x"]],
  ["参照：https://a.test/x（英語）", ["https://a.test/x"]],
  ["「https://a.test/x」を読む", ["https://a.test/x"]],
  ["https://a.test/x、https://b.test/y", ["https://a.test/x、https://b.test/y"]],
  ["見て https://a.test/x、https://b.test/y", ["https://a.test/x", "https://b.test/y"]],
  ["Siehe „https://a.test/x“.", ["https://a.test/x"]],
  ["Voir « https://a.test/x ».", ["https://a.test/x"]],
  ["It is at www.a.test/x, I think.", ["https://www.a.test/x"]],
  [
    "https://a.test/x,\nhttps://b.test/y,\nhttps://c.test/z",
    ["https://a.test/x", "https://b.test/y", "https://c.test/z"],
  ],
])("finds what is meant in %j", (text, addresses) => {
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

/** Characters that patterns look at while addresses are found in a text. */
function lookedAt(text: string): number {
  const { exec } = RegExp.prototype;
  let looked = 0;
  RegExp.prototype.exec = function (this: RegExp, within: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, within);
    const end = found ? found.index + found[0].length : this.sticky ? from + 1 : within.length;
    looked += end - from;
    return found;
  };
  try {
    findAddresses(text);
  } finally {
    RegExp.prototype.exec = exec;
  }
  return looked;
}

it.each([
  ["addresses without an end", (size: number) => "(https://a.test/x?".repeat(size / 10)],
  ["spaces", (size: number) => `${" ".repeat(size)}x`.repeat(3)],
  ["links without an end", (size: number) => `[](${" ".repeat(size)}`.repeat(5)],
  ["links that never come", (size: number) => "](https://a.test/(".repeat(size / 10)],
])("looks at a text in proportion to its length: %s", (_, text) => {
  const few = lookedAt(text(10_000));
  expect(few).toBeGreaterThan(5_000);
  expect(lookedAt(text(100_000))).toBeLessThan(12 * few);
});

it("finds nothing in nothing", () => {
  expect(findAddresses(" \n ")).toEqual({ addresses: [], rejected: [], leftOut: 0 });
});
