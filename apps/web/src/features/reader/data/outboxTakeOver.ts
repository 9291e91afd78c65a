import { forget, keep, keptKeys, readKept } from "../../../ui/localStore";
import { Drafts } from "../notes/drafts";
import { newId } from "./newId";
import type { Change, Outbox } from "./outbox";

/** Takes over what earlier versions of this page kept on the device, so that it is still sent. */
export function takeOver(userId: string, outbox: Outbox): void {
  takeOverList(`nexus.outbox.${userId}`, outbox);
  takeOverNames(userId);
}

/** The first version kept one list of changes. */
function takeOverList(oldKey: string, outbox: Outbox): void {
  const old = readKept(oldKey);
  forget(oldKey);
  for (const { mediaId, change } of Array.isArray(old) ? old : []) {
    if (change.kind === "create") {
      const created = { ...change, id: newId(), at: new Date().toISOString() };
      outbox.add(mediaId, created, change.body.exact);
    } else outbox.add(mediaId, change, "");
  }
}

interface NamedChange {
  kind: Change["kind"];
  /** Of a new highlight: `pending-…`. */
  key?: string;
  /** Such a name, or an id. */
  target?: string;
}

/** The second version gave highlights a name until the server gave them an id. */
function takeOverNames(userId: string): void {
  const drafts = new Drafts(userId);
  const namesKey = `nexus.names.${userId}`;
  const ids = new Map(Object.entries((readKept(namesKey) ?? {}) as Record<string, string>));
  for (const storageKey of keptKeys(`nexus.outbox.${userId}.`).sort()) {
    const kept = readKept(storageKey) as { change?: NamedChange } | null;
    const { key, target, ...change } = kept?.change ?? {};
    if (key) ids.set(key, ids.get(key) ?? newId());
    const name = key ?? target;
    if (!name) continue;
    const id = ids.get(name) ?? (name.startsWith("pending-") ? null : name);
    // Without an id its creation was refused or taken back: there is nothing left to change.
    if (id) keep(storageKey, { ...kept, change: { ...change, id } });
    else forget(storageKey);
  }
  for (const [name, id] of ids) drafts.move(name, id);
  forget(namesKey);
}
