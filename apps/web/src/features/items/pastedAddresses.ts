// What the server takes, so that a hopeless address is told at once.
const MAX_LENGTH = 2048;
/** More at a time is a job for an import, not for a paste. */
export const MAX_AT_ONCE = 100;

const ADDRESS = /https?:\/\/[^\s<>"`]+/gi;
// A whole line that is a host with a path, as people copy it out of an address bar.
const BARE = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u;
const FILE_NAME = /\.(?:pdf|epub|txt|docx?|html?|md|png|jpe?g|json|csv|zip|exe|js|ts|py)$/i;
const ENDING = /[.,;:!?'’”»…*_]+$/u;
const PAIRS: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

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
  for (const line of text.split(/[\r\n]+/).map((one) => one.trim())) {
    if (!line) continue;
    const addresses = addressesIn(line);
    if (addresses.length === 0) rejected.push(line);
    for (const address of addresses) found.add(address);
  }
  const all = [...found];
  const addresses = all.slice(0, MAX_AT_ONCE);
  return { addresses, rejected, leftOut: all.length - addresses.length };
}

function addressesIn(line: string): string[] {
  const written = line.match(ADDRESS)?.map(trimEnding) ?? bareAddresses(line);
  return written.filter(canBeSaved);
}

/** Hosts without a scheme count only when nothing else is on the line: prose has dots too. */
function bareAddresses(line: string): string[] {
  const words = line.split(/\s+/);
  const all = words.every((word) => BARE.test(word) && !FILE_NAME.test(word));
  return all ? words.map((word) => `https://${word}`) : [];
}

/** Drops the punctuation of the sentence around an address, but not brackets that belong to it. */
function trimEnding(address: string): string {
  let rest = address;
  for (;;) {
    const shorter = rest.replace(ENDING, "");
    const last = shorter.at(-1) ?? "";
    const opening = PAIRS[last];
    if (opening && count(shorter, last) > count(shorter, opening)) rest = shorter.slice(0, -1);
    else if (shorter !== rest) rest = shorter;
    else return rest;
  }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function canBeSaved(address: string): boolean {
  if (address.length > MAX_LENGTH || !URL.canParse(address)) return false;
  const url = new URL(address);
  return url.hostname !== "" && url.username === "" && url.password === "";
}
