import type { Highlight, HighlightSpan } from "../../../api/highlights";
import { forget, keep, keptKeys, readKept } from "../../../ui/localStore";

/** A change that the server has not confirmed yet. `target` is an id, or a key without one yet. */
export type Change =
  | { kind: "create"; key: string; fragmentId: string; body: NewHighlight; at: string }
  | { kind: "update"; target: string; changes: Partial<NewHighlight> }
  | { kind: "delete"; target: string }
  | { kind: "restore"; target: string; highlight: Highlight };

export type NewHighlight = HighlightSpan & Pick<Highlight, "color">;

export interface KeptChange {
  readonly ticket: string;
  readonly mediaId: string;
  readonly change: Change;
  /** Words of the passage, to tell the person about it. */
  readonly about: string;
  /** It was sent at least once, so the server may know of it. */
  readonly tried: boolean;
}

export const MAX_KEPT = 500;
const MAX_NAMES = 200;
const ABOUT_LENGTH = 80;
const PENDING = "pending-";

/** A name for a highlight that the server has not given an id. */
export function newKey(): string {
  return `${PENDING}${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}

/** Whether this is the name of a highlight without an id. */
export function isPendingKey(name: string): boolean {
  return name.startsWith(PENDING);
}

/**
 * Everything that waits to be sent, kept on this device: the one record of it. Each change has an
 * entry of its own in the storage, so that tabs never overwrite each other's.
 */
export class Outbox {
  private readonly prefix: string;
  private readonly namesKey: string;
  private readonly listeners = new Set<() => void>();
  private lastMoment = 0;

  constructor(userId: string) {
    this.prefix = `nexus.outbox.${userId}.`;
    this.namesKey = `nexus.names.${userId}`;
    this.takeOver(`nexus.outbox.${userId}`);
  }

  /** Earlier versions kept one list of changes, without keys. */
  private takeOver(oldKey: string): void {
    const old = readKept(oldKey);
    forget(oldKey);
    for (const { mediaId, change } of Array.isArray(old) ? old : []) {
      const at = new Date().toISOString();
      if (change.kind === "create") {
        this.add(mediaId, { ...change, key: newKey(), at }, change.body.exact);
      } else this.add(mediaId, { ...change, target: change.id }, "");
    }
  }

  /** Whether a key of the storage belongs to this outbox. */
  owns(storageKey: string | null): boolean {
    return storageKey === null || storageKey.startsWith(this.prefix);
  }

  /** Adds a change; returns its ticket, or null when it and an unsent one cancel out. */
  add(mediaId: string, change: Change, about: string): string | null {
    const waiting = this.waiting();
    for (const { ticket } of waiting.filter((kept) => isPointless(kept, change))) this.drop(ticket);
    const cancelled = waiting.some((kept) => cancelsOut(kept, change));
    const ticket = cancelled ? null : this.nextTicket();
    if (ticket) {
      const kept = { ticket, mediaId, change, about: about.slice(0, ABOUT_LENGTH), tried: false };
      keep(this.prefix + ticket, kept);
    }
    this.changed();
    return ticket;
  }

  /** More than this would fill the storage of the device. */
  isFull(): boolean {
    return this.waiting().length >= MAX_KEPT;
  }

  /** The server has decided about a change. */
  remove(ticket: string): void {
    this.drop(ticket);
    this.changed();
  }

  /** Forgets a new highlight and every change to it. */
  removeAll(key: string): void {
    for (const { ticket, change } of this.waiting()) {
      if (nameIn(change) === key) this.drop(ticket);
    }
    this.changed();
  }

  /** A change is about to be sent. */
  markTried(kept: KeptChange): void {
    if (!kept.tried) keep(this.prefix + kept.ticket, { ...kept, tried: true });
  }

  /** Everything that waits, the oldest first, whichever tab it is from. */
  waiting(): KeptChange[] {
    return keptKeys(this.prefix)
      .sort()
      .map((key) => readKept(key) as KeptChange | null)
      .filter((kept) => isKeptChange(kept));
  }

  /** The server gave a highlight its id. */
  nameArrived(key: string, id: string): void {
    const names = Object.entries({ ...this.names(), [key]: id }).slice(-MAX_NAMES);
    keep(this.namesKey, Object.fromEntries(names));
  }

  /** The id of a highlight; null while it has none. */
  idOf(target: string): string | null {
    return isPendingKey(target) ? (this.names()[target] ?? null) : target;
  }

  /** By its id, the key a highlight had before. */
  keysById(): Map<string, string> {
    return new Map(Object.entries(this.names()).map(([key, id]) => [id, key]));
  }

  /** Calls back on each change; returns the function that stops it. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  private drop(ticket: string): void {
    forget(this.prefix + ticket);
  }

  private names(): Record<string, string> {
    return (readKept(this.namesKey) ?? {}) as Record<string, string>;
  }

  /** Tickets sort by the moment, also between tabs. */
  private nextTicket(): string {
    this.lastMoment = Math.max(Date.now(), this.lastMoment + 1);
    return `${this.lastMoment}-${Math.random().toString(36).slice(2, 8)}`;
  }
}

/** The highlight a change is about. */
export function nameIn(change: Change): string {
  return change.kind === "create" ? change.key : change.target;
}

/** Whether a newer change makes an older one pointless. */
function isPointless({ change: older, tried }: KeptChange, newer: Change): boolean {
  if (nameIn(older) !== nameIn(newer)) return false;
  if (newer.kind === "delete") return older.kind !== "create" || !tried;
  if (newer.kind === "restore") return older.kind === "delete" && !tried;
  if (newer.kind !== "update" || older.kind !== "update") return false;
  return Object.keys(older.changes).every((name) => name in newer.changes);
}

/** Whether the server need not hear of either: what was never sent is taken back. */
function cancelsOut({ change: older, tried }: KeptChange, newer: Change): boolean {
  if (tried || nameIn(older) !== nameIn(newer)) return false;
  return (
    (newer.kind === "delete" && older.kind === "create") ||
    (newer.kind === "restore" && older.kind === "delete")
  );
}

function isKeptChange(kept: KeptChange | null): kept is KeptChange {
  return typeof kept?.ticket === "string" && typeof kept.change?.kind === "string";
}
