import {
  createHighlight,
  deleteHighlight,
  fetchMediaHighlights,
  type Highlight,
  putAnnotation,
  restoreHighlight,
  updateHighlight,
} from "../../../api/highlights";
import type { Drafts } from "../notes/drafts";
import type { Change, KeptChange, Outbox } from "./outbox";
import { isGone, isSameSpan } from "./refusals";

/** What a change that went through does to the list of highlights. */
type Effect = (list: readonly Highlight[]) => Highlight[];

type Creation = Change & { kind: "create" };

/** Sends one change. What may have arrived the first time is sent again without harm. */
export async function sendChange(
  { mediaId, change }: KeptChange,
  outbox: Outbox,
  drafts: Drafts,
): Promise<Effect> {
  if (change.kind === "create") {
    const saved = await createOrAdopt(mediaId, change);
    const annotation = (await sendNote(change.key, saved, drafts)) ?? saved.annotation;
    outbox.nameArrived(change.key, saved.id);
    return (list) => [...without(list, saved.id), { ...saved, annotation }];
  }
  const id = outbox.idOf(change.target);
  // Its creation was refused or taken back, so there is nothing left to change.
  if (!id) return (list) => [...list];
  if (change.kind === "restore") {
    const saved = await restoreHighlight(id);
    return (list) => [...without(list, id), saved];
  }
  if (change.kind === "delete") {
    await deleteHighlight(id).catch((error) => {
      if (!isGone(error)) throw error;
    });
    return (list) => without(list, id);
  }
  const { updated_at } = await updateHighlight(id, change.changes);
  return (list) =>
    list.map((one) => (one.id === id ? { ...one, ...change.changes, updated_at } : one));
}

/** A highlight that is there already, by a lost response or another device, is taken as it is. */
async function createOrAdopt(mediaId: string, change: Creation): Promise<Highlight> {
  const { fragmentId, body, at } = change;
  try {
    return await createHighlight(fragmentId, body);
  } catch (error) {
    if (!isSameSpan(error)) throw error;
    const list = await fetchMediaHighlights(mediaId);
    const there = list.find(
      (one) =>
        one.fragment_id === fragmentId &&
        one.start_offset === body.start_offset &&
        one.end_offset === body.end_offset,
    );
    if (!there) throw error;
    const repainted = there.color !== body.color && Date.parse(there.updated_at) < Date.parse(at);
    return repainted ? updateHighlight(there.id, { color: body.color }) : there;
  }
}

/** A note written while its highlight waited goes right after it. */
async function sendNote(key: string, { id, annotation }: Highlight, drafts: Drafts) {
  const draft = drafts.read(key);
  let saved = null;
  if (draft?.body.trim() && !annotation) {
    // When this fails, the note's own saver sends it.
    saved = await putAnnotation(id, draft.body).catch(() => null);
  }
  if (saved && drafts.read(key)?.body === saved.body) drafts.clear(key);
  else drafts.move(key, id);
  return saved;
}

function without(list: readonly Highlight[], id: string): Highlight[] {
  return list.filter((one) => one.id !== id);
}
