import { LIMITS } from "../../api/schema";
import { addressesInText } from "./addressesInText";

/** More at a time is a job for an import, not for a paste. */
export const MAX_AT_ONCE = 100;

// Addresses copied from anywhere have these characters encoded.
const WHOLE = /^https?:\/\/[^\s<>"`]+$/i;
// A whole line that is a host with a path, as people copy it out of an address bar.
const BARE = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u;
const FILE_NAME = /\.(?:pdf|epub|txt|docx?|html?|md|png|jpe?g|json|csv|zip|exe|js|ts|py)$/i;
// What stands before an entry of a list: "- ", "* ", "• ", "> ", "3. ", "[ ] ".
const LIST_MARK = /^(?:(?:[-*+•–—>]|\d{1,3}[.)]|\[[ x]?\])\s+)+/i;
// Marks that steer the direction and breaking of text; they come along when text is copied.
const INVISIBLE = /[\s\p{Cf}]/u;
const SEPARATORS = [",", ";"];

export interface PastedAddresses {
  /** Each address once, in the order of the text. */
  addresses: string[];
  /** Lines that hold no address, or one that cannot be saved. */
  rejected: string[];
  /** How many more addresses there were than can be saved at once. */
  leftOut: number;
}

/** Finds the web addresses in a text: one or many, alone on a line or inside a sentence. */
export function findAddresses(text: string): PastedAddresses {
  const found = new Set<string>();
  const rejected: string[] = [];
  for (const line of linesOf(text)) {
    const addresses = addressesIn(line);
    if (addresses.length === 0) rejected.push(line);
    for (const address of addresses) found.add(address);
  }
  const all = [...found];
  const addresses = all.slice(0, MAX_AT_ONCE);
  return { addresses, rejected, leftOut: all.length - addresses.length };
}

function linesOf(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map(trimInvisible);
  return withoutSeparators(lines.filter(Boolean));
}

function trimInvisible(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && INVISIBLE.test(line.charAt(start))) start += 1;
  while (start < end && INVISIBLE.test(line.charAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

/** A comma at the end of every line but the last separates them; it belongs to no address. */
function withoutSeparators(lines: string[]): string[] {
  const before = lines.slice(0, -1);
  const separator = SEPARATORS.find(
    (mark) => before.length > 0 && before.every((line) => line.endsWith(mark)),
  );
  if (!separator) return lines;
  return lines.map((line) => (line.endsWith(separator) ? line.slice(0, -1).trimEnd() : line));
}

/** An address alone on its line is taken as it is; only in a sentence must its end be guessed. */
function addressesIn(line: string): string[] {
  const alone = line.replace(LIST_MARK, "");
  if (WHOLE.test(alone)) return [alone].filter(canBeSaved);
  const written = addressesInText(line);
  return (written.length > 0 ? written : bareAddresses(alone)).filter(canBeSaved);
}

/** Hosts without a scheme count only when nothing else is on the line: prose has dots too. */
function bareAddresses(line: string): string[] {
  const words = line.split(/\s+/);
  const all = words.every((word) => BARE.test(word) && !FILE_NAME.test(word));
  return all ? words.map((word) => `https://${word}`) : [];
}

/** What the server takes, so that a hopeless address is told at once. */
function canBeSaved(address: string): boolean {
  if (address.length > LIMITS.url_length || !URL.canParse(address)) return false;
  const url = new URL(address);
  return url.hostname !== "" && url.username === "" && url.password === "";
}
