import type { Import } from "../../api/imports";

/** What has to be known of an import to tell how it stands. */
export type ImportFacts = Pick<Import, "state" | "unfinished" | "counts">;

/**
 * How an import stands, as the person sees it. "fetching" is one whose lines are all taken in
 * while pages of theirs are still to be fetched; it needs nobody.
 */
export type Standing =
  | "preview"
  | "running"
  | "fetching"
  | "stopped"
  | "done"
  | "undoing"
  | "undone";

export function standingOf({ state, unfinished, counts }: ImportFacts): Standing {
  if (state === "undone" && unfinished) return "undoing";
  if (state === "done" && counts.items_waiting > 0) return "fetching";
  return state;
}

/** Can it change without the person doing anything? */
export function isMoving(facts: ImportFacts): boolean {
  return ["running", "fetching", "undoing"].includes(standingOf(facts));
}

/** The state in words. */
export const STANDING_WORDS: Record<Standing, string> = {
  preview: "Not started",
  running: "Importing…",
  fetching: "Imported, pages are being fetched",
  stopped: "Stopped",
  done: "Imported",
  undoing: "Being undone…",
  undone: "Undone",
};

/** How many lines of the file are dealt with, of how many. */
export function taken({ counts }: ImportFacts): { done: number; all: number } {
  const all = counts.items;
  return { done: Math.min(counts.items_done + counts.items_failed, all), all };
}

/** "1 item", "2,000 highlights". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** "12 items and 40 highlights", or what there is of them. */
export function contentsWords({ counts }: ImportFacts): string {
  const { items, highlights } = counts;
  if (highlights === 0) return counted(items, "item");
  return `${counted(items, "item")} and ${counted(highlights, "highlight")}`;
}

/** The results worth naming, each with its number; what is zero is left out. */
export function results({ counts }: ImportFacts): { count: number; words: string }[] {
  const all = [
    {
      count: counts.items_done,
      words: counts.items_done === 1 ? "item in your library" : "items in your library",
    },
    { count: counts.items_waiting, words: "of them waiting to be fetched" },
    { count: counts.items_failed, words: "could not be fetched or added" },
    { count: counts.highlights_placed, words: "highlights found in their texts" },
    { count: counts.highlights_waiting, words: "highlights waiting for their text" },
    { count: counts.highlights_not_found, words: "highlights kept, but not found in the text" },
    { count: counts.skipped, words: "lines skipped" },
  ];
  return all.filter(({ count }) => count > 0);
}

/** Reasons for skipping, the most frequent first. */
export function reasonsByCount(reasons: Record<string, number>): [reason: string, count: number][] {
  return Object.entries(reasons).sort(([a, one], [b, other]) => other - one || a.localeCompare(b));
}
