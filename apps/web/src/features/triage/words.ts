import type { Media } from "../../api/types";
import { shownTitle } from "../items/itemWords";

/** Names one item, or counts several. */
export function itemsWords(items: readonly Media[]): string {
  const [first] = items;
  if (first && items.length === 1) return `“${shownTitle(first)}”`;
  return `${items.length.toLocaleString("en")} items`;
}
