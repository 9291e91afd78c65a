import type { HighlightSpan } from "../../../api/highlights";
import { keep, readKept } from "../../../ui/localStore";

/** A change that the server has not answered yet. */
export type Change =
  | { kind: "create"; fragmentId: string; body: HighlightSpan & { color: string } }
  | { kind: "update"; id: string; changes: Partial<HighlightSpan & { color: string }> }
  | { kind: "delete"; id: string };

export interface KeptChange {
  readonly ticket: string;
  readonly mediaId: string;
  readonly change: Change;
}

const MAX_KEPT = 200;

/**
 * Changes on their way to the server, kept on this device so that a session that ends, or a page
 * that closes in between, loses none of them. They are sent again when the article is next opened.
 */
export class Outbox {
  private readonly key: string;
  private count = 0;

  constructor(userId: string) {
    this.key = `nexus.outbox.${userId}`;
  }

  add(mediaId: string, change: Change): string {
    this.count += 1;
    const ticket = `${Date.now()}-${this.count}`;
    this.write([...this.read(), { ticket, mediaId, change }].slice(-MAX_KEPT));
    return ticket;
  }

  remove(ticket: string): void {
    this.write(this.read().filter((kept) => kept.ticket !== ticket));
  }

  /** What is still waiting for one item, the oldest first. */
  waiting(mediaId: string): KeptChange[] {
    return this.read().filter((kept) => kept.mediaId === mediaId);
  }

  private read(): KeptChange[] {
    const kept = readKept(this.key);
    return Array.isArray(kept) ? kept : [];
  }

  private write(changes: KeptChange[]): void {
    keep(this.key, changes);
  }
}
