import type { PastedAddresses } from "./pastedAddresses";

const QUOTED_LINES = 3;
const QUOTED_LENGTH = 40;

export interface SaveCounts {
  saved: number;
  /** In the person's library already. */
  known: number;
  refused: number;
}

/** What became of a paste, in one or two sentences. */
export function saveSummary(
  counts: SaveCounts,
  pasted: Omit<PastedAddresses, "addresses">,
): string {
  const { saved, known, refused } = counts;
  return [
    saved > 0 && (saved === 1 ? "Saved." : `Saved ${saved} addresses.`),
    known > 0 && knownWords(known, saved + refused === 0),
    refused > 0 && (refused === 1 ? "One could not be saved." : `${refused} could not be saved.`),
    pasted.leftOut > 0 && `${pasted.leftOut} more were left out; paste them again.`,
    rejectedWords(pasted.rejected),
  ]
    .filter(Boolean)
    .join(" ");
}

function knownWords(known: number, alone: boolean): string {
  if (known === 1) return alone ? "Already in your library." : "One was already in your library.";
  return `${known} were already in your library.`;
}

function rejectedWords(rejected: readonly string[]): string {
  if (rejected.length === 0) return "";
  const quoted = rejected.slice(0, QUOTED_LINES).map((line) => `“${shorten(line)}”`);
  const more = rejected.length - quoted.length;
  const list = more > 0 ? `${quoted.join(", ")} and ${more} more` : quoted.join(", ");
  return `Not a web address: ${list}.`;
}

function shorten(line: string): string {
  const characters = [...line];
  if (characters.length <= QUOTED_LENGTH) return line;
  return `${characters.slice(0, QUOTED_LENGTH - 1).join("")}…`;
}
