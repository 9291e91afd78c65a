import { notifyManager, type QueryClient } from "@tanstack/react-query";
import { errorWords } from "../../api/errorWords";
import { changeMine } from "../../api/media";
import type { Media } from "../../api/types";
import { patchItem } from "../../shared/itemCache";
import { notePending } from "../../shared/pendingChanges";
import { offerUndo } from "../../shared/undo";
import { showToast } from "../../ui/toasts";
import { inBatches } from "./batches";
import { type Change, inverse, type Step, stepsBack, toRequest, valuesAfter } from "./changes";
import { inTurn } from "./turns";
import { itemsWords } from "./words";

/** Changes items for this person alone: shown at once, undone on request or when refused. */
export function changeItems(
  client: QueryClient,
  items: readonly Media[],
  change: Change,
  done: string,
): void {
  const changed = items.filter((item) => inverse(item, change) !== null);
  if (changed.length === 0) return;
  const back = stepsBack(changed, change);
  const undo = () => {
    for (const step of back) void runStep(client, step);
  };
  const withdraw = offerUndo(`${done}: ${itemsWords(changed)}.`, undo);
  void runStep(client, { items: changed, change }).then((count) => {
    if (count === 0) withdraw();
  });
}

/** Shows a change, sends it after those before it, and takes back what was refused. */
async function runStep(client: QueryClient, { items, change }: Step): Promise<number> {
  notifyManager.batch(() => {
    for (const item of items) show(client, item.id, valuesAfter(item, change));
  });
  const ids = items.map(({ id }) => id);
  const { done, error } = await inTurn(client, () =>
    inBatches(ids, (some) => changeMine(some, toRequest(change))),
  );
  if (error === null) return done.length;
  const refused = items.slice(done.length);
  for (const item of refused) {
    const { state, archived, favourite, tags } = item;
    const before = { state, archived, favourite, tags };
    const touched = Object.keys(valuesAfter(item, change)) as (keyof typeof before)[];
    show(client, item.id, Object.fromEntries(touched.map((name) => [name, before[name]])));
  }
  const some = done.length > 0 ? ` ${done.length} others were changed.` : "";
  const verb = refused.length === 1 ? "was" : "were";
  showToast(`${itemsWords(refused)} ${verb} not changed: ${errorWords(error)}${some}`, "error");
  return done.length;
}

function show(client: QueryClient, id: string, values: ReturnType<typeof valuesAfter>): void {
  notePending(id, values);
  patchItem(client, id, values);
}
