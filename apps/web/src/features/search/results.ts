import type { SearchResult, Snippet } from "../../api/search";
import { codePointLength } from "../../canonical";
import { type Passage, paths } from "../../shared/paths";
import { itemHref } from "../items/ItemRow";
import { readsHere, shownTitle } from "../items/itemWords";

/** The passage that a result is about; null for one that is about the item as a whole. */
export function passageOf(result: SearchResult): Passage | null {
  const { fragment_id: fragmentId, start_offset: start, end_offset: end } = result;
  if (fragmentId === null || start === null || end === null) return null;
  return { fragmentId, start, end };
}

/** Where a result opens: at its highlight, at its passage, or the item where it was left. */
export function resultHref(result: SearchResult): string {
  const { media, highlight_id } = result;
  if (!readsHere(media)) return itemHref(media);
  if (highlight_id) return paths.read(media.id, highlight_id);
  const passage = passageOf(result);
  return passage ? paths.passage(media.id, passage) : itemHref(media);
}

/** Tells results apart: of each item there is one of each type, but several marks. */
export function resultKey({ type, media, highlight_id, start_offset }: SearchResult): string {
  return `${type}-${media.id}-${highlight_id ?? start_offset ?? ""}`;
}

/** What is shown of a result: the item's title, and the line that was found below it. */
export function linesOf({ type, media, snippet }: SearchResult): { title: Snippet; line: Snippet } {
  const title = shownTitle(media);
  const { text, hits } = snippet;
  // An item is found by its title, and what else there is to say of it comes after that.
  if (type !== "item" || !text.startsWith(title)) {
    return { title: { text: title, hits: [] }, line: snippet };
  }
  const rest = text.slice(title.length).replace(SEPARATOR, "");
  const shift = codePointLength(text) - codePointLength(rest);
  return {
    title: { text: title, hits },
    line: { text: rest, hits: hits.map(([start, end]) => [start - shift, end - shift]) },
  };
}

const SEPARATOR = /^ · /;

const TYPE_WORDS: Record<SearchResult["type"], string | null> = {
  item: null,
  passage: "In the text",
  highlight: "Highlight",
  note: "Note",
};

/** What was found, where it is not the item itself. */
export function typeWords({ type }: SearchResult): string | null {
  return TYPE_WORDS[type];
}

/** "1 result", "20+ results". */
export function countWords(count: number, more: boolean): string {
  if (count === 0) return "No results";
  const number = `${count.toLocaleString("en")}${more ? "+" : ""}`;
  return `${number} ${count === 1 && !more ? "result" : "results"}`;
}
