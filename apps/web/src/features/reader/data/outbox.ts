import type { Highlight, HighlightSpan } from "../../../api/highlights";
import { forget, keep, keptKeys, readKept } from "../../../ui/localStore";
import { takeOver } from "./outboxTakeOver";

/** A change to the highlight with this id that the server has not confirmed yet. */
export type Change =
  | { kind: "create"; id: string; fragmentId: string; body: NewHighlight; at: string }
  | { kind: "update"; id: string; changes: Partial<NewHighlight> }
  | { kind: "delete"; id: string }
  | { kind: "restore"; id: string; highlight: Highlight };

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
const ABOUT_LENGTH = 80;

/**
 * Everything that waits to be sent, kept on this device: the one record of it. Each change has an
 * entry of its own in the storage, so that tabs never overwrite each other's.
 */
export class Outbox {
  private readonly prefix: string;
  private readonly listeners = new Set<() => void>();
  private lastMoment = 0;

  constructor(userId: string) {
    this.prefix = `nexus.outbox.${userId}.`;
    takeOver(userId, this);
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
  removeAll(id: string): void {
    for (const { ticket, change } of this.waiting()) {
      if (change.id === id) this.drop(ticket);
    }
    this.changed();
  }

  /** The server has a new highlight under another id: what waits is meant for that one. */
  adopt(ticket: string, id: string, adoptedId: string): void {
    this.drop(ticket);
    for (const kept of this.waiting().filter(({ change }) => change.id === id)) {
      keep(this.prefix + kept.ticket, { ...kept, change: retarget(kept.change, adoptedId) });
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

  /** The creation of a highlight, as long as the server has not confirmed it. */
  creationOf(id: string): KeptChange | undefined {
    return this.waiting().find(({ change }) => change.kind === "create" && change.id === id);
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

  /** Tickets sort by the moment, also between tabs. */
  private nextTicket(): string {
    this.lastMoment = Math.max(Date.now(), this.lastMoment + 1);
    return `${this.lastMoment}-${Math.random().toString(36).slice(2, 8)}`;
  }
}

/** The same change to another highlight. */
function retarget(change: Change, id: string): Change {
  if (change.kind !== "restore") return { ...change, id };
  return { ...change, id, highlight: { ...change.highlight, id } };
}

/** Whether a newer change makes an older one pointless. */
function isPointless({ change: older, tried }: KeptChange, newer: Change): boolean {
  if (older.id !== newer.id) return false;
  if (newer.kind === "delete") return older.kind !== "create" || !tried;
  if (newer.kind === "restore") return older.kind === "delete" && !tried;
  if (newer.kind !== "update" || older.kind !== "update") return false;
  return Object.keys(older.changes).every((name) => name in newer.changes);
}

/** Whether the server need not hear of either: what was never sent is taken back. */
function cancelsOut({ change: older, tried }: KeptChange, newer: Change): boolean {
  if (tried || older.id !== newer.id) return false;
  return (
    (newer.kind === "delete" && older.kind === "create") ||
    (newer.kind === "restore" && older.kind === "delete")
  );
}

/** Not nonsense, nor what a tab with an earlier version adds: that tab sends it by itself. */
function isKeptChange(kept: KeptChange | null): kept is KeptChange {
  return typeof kept?.ticket === "string" && typeof kept.change?.id === "string";
}
