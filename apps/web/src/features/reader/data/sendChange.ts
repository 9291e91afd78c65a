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
import type { Change, KeptChange } from "./outbox";
import { isOn } from "./readerHighlight";
import { isGone, isTaken } from "./refusals";

/** What a change that went through does to the list of highlights. */
type Effect = (list: readonly Highlight[]) => Highlight[];

type Creation = Change & { kind: "create" };

interface Sent {
  effect: Effect;
  /** The highlight it reached; another one than was meant if the server had that passage. */
  id: string;
}

/** Sends one change. What may have arrived the first time is sent again without harm. */
export async function sendChange({ mediaId, change }: KeptChange, drafts: Drafts): Promise<Sent> {
  const { id } = change;
  if (change.kind === "create") {
    const saved = await createOrAdopt(mediaId, change);
    const annotation = (await sendNote(id, saved, drafts)) ?? saved.annotation;
    const effect: Effect = (list) => [...without(list, saved.id), { ...saved, annotation }];
    return { effect, id: saved.id };
  }
  if (change.kind === "restore") {
    const saved = await restoreHighlight(id);
    return { effect: (list) => [...without(list, id), saved], id };
  }
  if (change.kind === "delete") {
    await deleteHighlight(id).catch((error) => {
      if (!isGone(error)) throw error;
    });
    return { effect: (list) => without(list, id), id };
  }
  const { updated_at } = await updateHighlight(id, change.changes);
  const changed = { ...change.changes, updated_at };
  return {
    effect: (list) => list.map((one) => (one.id === id ? { ...one, ...changed } : one)),
    id,
  };
}

/** A highlight that is there but changed meanwhile, or is another device's, is taken as it is. */
async function createOrAdopt(mediaId: string, change: Creation): Promise<Highlight> {
  const { id, fragmentId, body, at } = change;
  try {
    return await createHighlight(fragmentId, { id, ...body });
  } catch (error) {
    if (!isTaken(error)) throw error;
    const list = await fetchMediaHighlights(mediaId);
    const ours = list.find((one) => one.id === id);
    if (ours) return ours;
    const there = list.find((one) => isOn(one, change));
    if (!there) throw error;
    const repainted = there.color !== body.color && Date.parse(there.updated_at) < Date.parse(at);
    return repainted ? updateHighlight(there.id, { color: body.color }) : there;
  }
}

/** A note written while its highlight waited goes right after it. */
async function sendNote(draftId: string, { id, annotation }: Highlight, drafts: Drafts) {
  const draft = drafts.read(draftId);
  if (!draft?.body.trim() || annotation) return null;
  // When this fails, the note's own saver sends it.
  const saved = await putAnnotation(id, draft.body).catch(() => null);
  if (saved && drafts.read(draftId)?.body === saved.body) drafts.clear(draftId);
  return saved;
}

function without(list: readonly Highlight[], id: string): Highlight[] {
  return list.filter((one) => one.id !== id);
}
