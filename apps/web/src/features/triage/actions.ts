import type { QueryClient } from "@tanstack/react-query";
import type { Media } from "../../api/types";
import { changeItems } from "./changeItems";
import type { TagChange } from "./changes";

type Items = readonly Media[];

/** What is either so or not so of an item. */
export type Mark = "archived" | "favourite";

const DONE: Record<Mark, [on: string, off: string]> = {
  archived: ["Archived", "Moved to Inbox"],
  favourite: ["Added to favourites", "Removed from favourites"],
};

/** Do all of the items have the mark, so that the next step takes it away? */
export function allMarked(items: Items, mark: Mark): boolean {
  return items.length > 0 && items.every((item) => item[mark]);
}

/** Sets a mark, or takes it away where every one of the items has it. */
export function toggleMark(client: QueryClient, items: Items, mark: Mark): void {
  const on = !allMarked(items, mark);
  changeItems(client, items, { [mark]: on }, DONE[mark][on ? 0 : 1]);
}

export function markFinished(client: QueryClient, items: Items): void {
  changeItems(client, items, { state: "finished" }, "Marked as finished");
}

export function markUnread(client: QueryClient, items: Items): void {
  changeItems(client, items, { state: "unread" }, "Marked as unread");
}

/** Finished, or unread again where all of them are finished. */
export function toggleFinished(client: QueryClient, items: Items): void {
  if (items.every(({ state }) => state === "finished")) markUnread(client, items);
  else markFinished(client, items);
}

export function changeTags(client: QueryClient, items: Items, change: TagChange): void {
  changeItems(client, items, change, "Tags changed");
}
