// Where an address begins is plain; where it ends, in running text, is a guess. What encloses it
// tells best: quotes, angle brackets, the parentheses of a Markdown link. Without that, the
// punctuation of the sentence is dropped and brackets that belong to the address are kept.

// "www." counts when it begins a word; "https://" wherever it stands, as after "看" or "(".
const START = /https?:\/\/|(?<![\p{L}\p{N}@./:_-])www\.(?=[\p{L}\p{N}])/giu;
// Neither spaces nor these are ever in an address as people copy it.
const BODY = /^[^\s<>"`]+/;
// Scripts that put no space after an address end it with their own punctuation.
const WIDE = /[、。〈〉《》「」『』【】〔〕（），．：；！？｡､“”‘’«»‹›„]/u;
const ENDING = /[.,;:!?'…]+$/u;
const MARKDOWN_LINK = /\]\(\s*(?:<([^<>\s]+)>|((?:[^\s()<>]|\([^\s()]*\))+))(?:\s+[^()]*)?\)/y;
const CLOSING: Record<string, string> = { "(": ")", "[": "]", "{": "}" };
const OPENING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
// Quotes, the emphasis of Markdown, the cells of a table: what opens also closes.
const SAME_ON_BOTH_SIDES = "'*_~|";
// How far to look: longer addresses are not saved, and nothing else stands before one.
const LONGEST = 4096;
const BEFORE = 16;

/** The addresses in one line of running text, as the person who wrote it meant them. */
export function addressesInText(line: string): string[] {
  const found: string[] = [];
  let at = 0;
  for (;;) {
    START.lastIndex = at;
    const start = START.exec(line)?.index;
    if (start === undefined) return found;
    const address = linkTarget(line, start) ?? cutAddress(line, start);
    if (address) found.push(/^www\./i.test(address) ? `https://${address}` : address);
    at = start + Math.max(address.length, 1);
  }
}

/** The target of a Markdown link, when that is where the address stands: `[text](address)`. */
function linkTarget(line: string, start: number): string | null {
  const from = Math.max(0, start - BEFORE);
  const near = line.slice(from, start + LONGEST);
  const bracket = /\]\(\s*<?$/.exec(line.slice(from, start));
  if (!bracket) return null;
  MARKDOWN_LINK.lastIndex = bracket.index;
  const link = MARKDOWN_LINK.exec(near);
  return link?.[1] ?? link?.[2] ?? null;
}

function cutAddress(line: string, start: number): string {
  const text = line.slice(start, start + LONGEST);
  const opened = line[start - 1] ?? "";
  const enclosed = enclosedAddress(text, opened);
  if (enclosed !== null) return enclosed;
  let address = BODY.exec(text)?.[0] ?? "";
  const wide = address.search(WIDE);
  if (wide >= 0) address = address.slice(0, wide);
  const closing = CLOSING[opened];
  if (closing) address = upToClosing(address, opened, closing);
  return trimEnding(address);
}

/** What stands between two marks is the address, whatever its last character is. */
function enclosedAddress(text: string, opened: string): string | null {
  if (opened === "<") return /^([^\s<>|]+)(?:\|[^<>]*)?>/.exec(text)?.[1] ?? null;
  if (opened === '"' || opened === "`") return before(text, opened);
  if (opened === "“") return before(text, "”");
  if (opened !== "" && SAME_ON_BOTH_SIDES.includes(opened)) return beforeSame(text, opened);
  return null;
}

function before(text: string, closing: string): string | null {
  const end = text.indexOf(closing);
  const inside = end > 0 ? text.slice(0, end) : "";
  return inside && !/\s/.test(inside) ? inside : null;
}

/** An apostrophe or underscore inside a word closes nothing. */
function beforeSame(text: string, mark: string): string | null {
  const closing = new RegExp(`^([^\\s<>"\`]+?)[${mark}]+(?![\\p{L}\\p{N}/?#&=%])`, "u");
  return closing.exec(text)?.[1] ?? null;
}

/** Cuts at the bracket that closes the one before the address. */
function upToClosing(address: string, opening: string, closing: string): string {
  let depth = 0;
  for (const [index, character] of [...address].entries()) {
    if (character === opening) depth += 1;
    if (character === closing && depth-- === 0) return [...address].slice(0, index).join("");
  }
  return address;
}

/** Drops the punctuation of the sentence around an address, but not brackets that belong to it. */
function trimEnding(address: string): string {
  let rest = address;
  for (;;) {
    const shorter = rest.replace(ENDING, "");
    const last = shorter.at(-1) ?? "";
    const opening = OPENING[last];
    if (opening && count(shorter, last) > count(shorter, opening)) rest = shorter.slice(0, -1);
    else if (shorter !== rest) rest = shorter;
    else return rest;
  }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
