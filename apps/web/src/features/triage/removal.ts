import type { QueryClient } from "@tanstack/react-query";
import { errorWords } from "../../api/errorWords";
import { removeMany, restoreMany } from "../../api/media";
import type { Media } from "../../api/types";
import { dropItems } from "../../shared/itemCache";
import { offerUndo } from "../../shared/undo";
import { showToast } from "../../ui/toasts";
import { isItemGone } from "../items/queries";
import { inBatches } from "./batches";
import { inTurn } from "./turns";
import { itemsWords } from "./words";

type Items = readonly Media[];

/** Takes items out of all the person's libraries: at once on screen, and undone on request. */
export async function removeItems(client: QueryClient, items: Items): Promise<void> {
  let removed: Items = [];
  dropItems(client, idsOf(items));
  const undo = () => void putBack(client, () => removed);
  const withdraw = offerUndo(`Removed: ${itemsWords(items)}.`, undo);
  const { done, error } = await inTurn(client, () => inBatches(idsOf(items), removeMany));
  removed = items.slice(0, done.length);
  if (done.length === 0) withdraw();
  if (error === null) return;
  const left = items.slice(done.length);
  const verb = left.length === 1 ? "was" : "were";
  showToast(`${itemsWords(left)} ${verb} not removed: ${errorWords(error)}`, "error");
}

/** What was removed is known only when it is this one's turn. */
async function putBack(client: QueryClient, removed: () => Items): Promise<void> {
  const { done, error } = await inTurn(client, () => inBatches(idsOf(removed()), restoreMany));
  if (error === null) return;
  const left = removed().slice(done.length);
  const reason = isItemGone(error) ? "It is too late to undo that." : errorWords(error);
  showToast(`${itemsWords(left)} could not be restored. ${reason}`, "error");
}

function idsOf(items: Items): string[] {
  return items.map(({ id }) => id);
}
