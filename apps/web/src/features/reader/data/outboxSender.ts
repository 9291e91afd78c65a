import type { QueryClient } from "@tanstack/react-query";
import { fetchSessionUser } from "../../../api/auth";
import { isReachable, onReachableChange } from "../../../api/connection";
import { isSessionEnd, isUnreachable } from "../../../api/errors";
import type { Highlight } from "../../../api/highlights";
import { sessionQuery } from "../../../shared/session";
import { announce } from "../../../ui/announce";
import { showToast } from "../../../ui/toasts";
import { Drafts } from "../notes/drafts";
import { oneTabAtATime } from "./oneTabAtATime";
import { type Change, type KeptChange, Outbox } from "./outbox";
import { highlightsQuery } from "./queries";
import { copyNote, isRefusal, refusalWords } from "./refusals";
import { sendChange } from "./sendChange";

/** What waits, and which of it did not get through at once. */
export interface Waiting {
  readonly changes: readonly KeptChange[];
  readonly late: ReadonlySet<string>;
}

type AdoptListener = (id: string, adoptedId: string) => void;

const SLOW_AFTER_MS = 2_000;
const RETRY_AFTER_MS = [2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * Sends what is in the outbox, in order and one at a time, from one tab at a time. What does not
 * get through stays there and is sent again when the server can be reached.
 */
export class OutboxSender {
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  private readonly listeners = new Set<() => void>();
  private readonly adoptListeners = new Set<AdoptListener>();
  private waiting: Waiting;
  private late: ReadonlySet<string> = new Set();
  private started = false;
  private running = false;
  private asked = false;
  /** Whether the session may be another person's by now. */
  private unsure = false;
  /** Attempts in vain that nothing but time was the reason for. */
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly outdated = new Set<string>();

  constructor(
    private readonly client: QueryClient,
    private readonly userId: string,
  ) {
    this.outbox = new Outbox(userId);
    this.drafts = new Drafts(userId);
    this.waiting = { changes: this.outbox.waiting(), late: this.late };
    this.outbox.subscribe(() => this.publish());
  }

  /** Sends what is there, now and whenever there is reason to hope; returns how to stop. */
  start(): () => void {
    this.started = true;
    const onStorage = ({ key }: StorageEvent) => {
      if (this.outbox.owns(key)) void this.followOtherTab();
    };
    // While this sends, its own check of the session says that the server is back.
    const onBack = () => isReachable() && !this.running && this.sendAgain();
    const stopListening = onReachableChange(onBack);
    window.addEventListener("storage", onStorage);
    window.addEventListener("online", this.sendAgain);
    window.addEventListener("focus", this.sendAgain);
    this.sendAgain();
    return () => {
      this.started = false;
      clearTimeout(this.timer);
      stopListening();
      window.removeEventListener("storage", onStorage);
      window.removeEventListener("online", this.sendAgain);
      window.removeEventListener("focus", this.sendAgain);
    };
  }

  /** Keeps a change and sends it; false when there is no room for it. */
  add(mediaId: string, change: Change, about: string): boolean {
    if (change.kind !== "delete" && this.outbox.isFull()) {
      showToast(
        "Too many changes are waiting to sync. Reconnect to Nexus before you continue.",
        "error",
      );
      return false;
    }
    this.outbox.add(mediaId, change, about);
    this.flush();
    return true;
  }

  /** For useSyncExternalStore. */
  snapshot = (): Waiting => this.waiting;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Calls back when a new highlight turns out to be one with another id; returns how to stop. */
  onAdopt(listener: AdoptListener): () => void {
    this.adoptListeners.add(listener);
    return () => this.adoptListeners.delete(listener);
  }

  private sendAgain = (): void => {
    if (this.outbox.waiting().length === 0) return;
    this.unsure = true;
    this.flush();
  };

  private flush(): void {
    this.asked = true;
    if (!this.running) void this.run();
  }

  private async run(): Promise<void> {
    this.running = true;
    clearTimeout(this.timer);
    try {
      await oneTabAtATime(`nexus.outbox.${this.userId}`, async () => {
        while (this.asked && this.started) {
          this.asked = false;
          await this.sendAll();
        }
      });
    } finally {
      this.running = false;
    }
    await this.readAgain();
  }

  /** Sends all that waits. Later changes of an article wait for an earlier one that failed. */
  private async sendAll(): Promise<void> {
    if (!(await this.isOurSession())) return;
    const held = new Set<string>();
    for (let kept = this.next(held); kept && this.started; kept = this.next(held)) {
      try {
        await this.send(kept);
        this.failures = 0;
      } catch (error) {
        if (isSessionEnd(error)) return;
        if (isUnreachable(error)) {
          this.retryLater(this.outbox.waiting());
          return;
        }
        if (!isRefusal(error)) held.add(kept.mediaId);
        else if (await this.isOurSession({ again: true })) this.refuse(kept, error);
        else return;
      }
    }
    if (held.size > 0) {
      this.retryLater(this.outbox.waiting().filter(({ mediaId }) => held.has(mediaId)));
    }
  }

  private next(held: ReadonlySet<string>): KeptChange | undefined {
    return this.outbox.waiting().find(({ mediaId }) => !held.has(mediaId));
  }

  private async send(kept: KeptChange): Promise<void> {
    this.outbox.markTried(kept);
    const { effect, id } = await this.call(() => sendChange(kept, this.drafts));
    this.changeList(kept.mediaId, effect);
    await this.listArrived(kept.mediaId);
    if (id === kept.change.id) this.outbox.remove(kept.ticket);
    else this.adopt(kept, id);
  }

  /** Another device was faster: its highlight takes the place of the one that waited here. */
  private adopt({ change, ticket }: KeptChange, id: string): void {
    this.drafts.move(change.id, id);
    for (const listener of this.adoptListeners) listener(change.id, id);
    this.outbox.adopt(ticket, change.id, id);
  }

  /**
   * After a while away somebody else may be signed in here; nothing is sent in their name, and
   * what was refused to them is not refused to this person.
   */
  private async isOurSession({ again = false } = {}): Promise<boolean> {
    if (!this.unsure && !again) return true;
    try {
      const user = await this.call(() => fetchSessionUser());
      if (user.id === this.userId) {
        this.unsure = false;
        return true;
      }
      void this.client.invalidateQueries({ queryKey: sessionQuery(this.client).queryKey });
    } catch (error) {
      if (!isSessionEnd(error)) this.retryLater(this.outbox.waiting());
    }
    return false;
  }

  /** All calls go through the mutation cache, which ends the session on a 401. */
  call<T>(mutationFn: () => Promise<T>): Promise<T> {
    return this.client
      .getMutationCache()
      .build<T, Error, void, unknown>(this.client, { mutationFn, networkMode: "always" })
      .execute(undefined);
  }

  private refuse(kept: KeptChange, error: unknown): void {
    const { change, mediaId, ticket } = kept;
    if (change.kind === "create") this.outbox.removeAll(change.id);
    else this.outbox.remove(ticket);
    this.outdated.add(mediaId);
    const note = change.kind === "create" ? this.drafts.read(change.id)?.body.trim() : undefined;
    showToast(refusalWords(kept, error, note), "error", note ? copyNote(note) : undefined);
  }

  private retryLater(late: readonly KeptChange[]): void {
    this.setLate(late);
    const delay = RETRY_AFTER_MS[Math.min(this.failures, RETRY_AFTER_MS.length - 1)];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.failures += 1;
      this.sendAgain();
    }, delay);
  }

  /** These changes take their time, as far as they are not through by now. */
  private setLate(changes: readonly KeptChange[]): void {
    const waiting = new Set(this.outbox.waiting().map(({ ticket }) => ticket));
    const late = changes
      .map(({ ticket }) => ticket)
      .filter((ticket) => waiting.has(ticket) && !this.late.has(ticket));
    if (late.length === 0) return;
    if (this.late.size === 0) announce("Waiting to sync. Your changes are kept on this device.");
    this.late = new Set([...this.late, ...late]);
    this.publish();
  }

  private publish(): void {
    const changes = this.outbox.waiting();
    const known = new Set(this.waiting.changes.map(({ ticket }) => ticket));
    const added = changes.filter(({ ticket }) => !known.has(ticket));
    if (added.length > 0) setTimeout(() => this.setLate(added), SLOW_AFTER_MS);
    if (this.late.size > 0) {
      const tickets = new Set(changes.map(({ ticket }) => ticket));
      this.late = new Set([...this.late].filter((ticket) => tickets.has(ticket)));
      if (this.late.size === 0) announce("Everything is synced.");
    }
    this.waiting = { changes, late: this.late };
    for (const listener of this.listeners) listener();
  }

  /** Another tab added or sent something. What it sent is shown until the server's list has it. */
  private async followOtherTab(): Promise<void> {
    const now = new Set(this.outbox.waiting().map(({ ticket }) => ticket));
    const sent = this.waiting.changes.filter(({ ticket }) => !now.has(ticket));
    await Promise.all(
      [...new Set(sent.map(({ mediaId }) => mediaId))].map((mediaId) =>
        this.client.refetchQueries({ queryKey: highlightsQuery(mediaId).queryKey }),
      ),
    );
    this.publish();
  }

  /** Puts what the server did into the list of an item. */
  changeList(mediaId: string, effect: (list: Highlight[]) => Highlight[]): void {
    const { queryKey } = highlightsQuery(mediaId);
    const list = this.client.getQueryData<Highlight[]>(queryKey);
    if (!list || this.client.isFetching({ queryKey }) > 0) {
      // A response that was asked for before this change would undo it on the page.
      void this.client.cancelQueries({ queryKey });
      this.outdated.add(mediaId);
    }
    if (list) this.client.setQueryData(queryKey, effect(list));
    if (!this.running) void this.readAgain();
  }

  /** What was sent is shown from the outbox until a list that is still loading has it. */
  private async listArrived(mediaId: string): Promise<void> {
    const { queryKey } = highlightsQuery(mediaId);
    if (this.client.getQueryData(queryKey) === undefined) await this.readAgain();
  }

  private async readAgain(): Promise<void> {
    const mediaIds = [...this.outdated];
    this.outdated.clear();
    for (const mediaId of mediaIds) {
      const { queryKey } = highlightsQuery(mediaId);
      await this.client.cancelQueries({ queryKey });
      await this.client.invalidateQueries({ queryKey });
    }
  }
}
