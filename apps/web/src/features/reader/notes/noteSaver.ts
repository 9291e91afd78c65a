import { LIMITS } from "../../../api/schema";
import type { Draft, Drafts } from "./drafts";

export const MAX_NOTE_LENGTH = LIMITS.note_length;

export type SaveState =
  | "saved"
  | "unsaved"
  | "saving"
  | "waiting"
  | "failed"
  | "too-long"
  | "conflict";

interface NoteSaverOptions {
  drafts: Drafts;
  /** The highlight, by which the draft is kept. */
  id: string;
  /** The note as the server has it. */
  saved: { body: string; updatedAt: string } | null;
  /** Sends the text, empty to remove the note; returns when it was saved, null if removed. */
  send: (body: string) => Promise<string | null>;
  /** Is this failure one that a retry cannot fix? */
  isFinal: (error: unknown) => boolean;
  /** Is nothing wrong but that the server cannot be reached, or not yet? */
  isWaiting: (error: unknown) => boolean;
}

const SAVE_AFTER_MS = 800;
const RETRY_AFTER_MS = [2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * Saves one note as it is typed. Each keystroke is on this device before anything else happens,
 * and stays there until the server has it.
 */
export class NoteSaver {
  body: string;
  state: SaveState = "saved";
  error: unknown = null;
  private base: string | null;
  private savedBody: string;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending = false;
  private stopped = false;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: NoteSaverOptions) {
    this.savedBody = options.saved?.body ?? "";
    this.base = options.saved?.updatedAt ?? null;
    this.body = this.savedBody;
    const draft = options.drafts.read(options.id);
    if (!draft) return;
    if (draft.body === this.savedBody) this.clearDraft();
    else this.takeUp(draft);
  }

  /** Goes on with a draft that an earlier visit left. */
  private takeUp(draft: Draft): void {
    this.body = draft.body;
    if (draft.base === this.base) this.schedule(0);
    else this.set("conflict");
  }

  /** The person typed. */
  edit(body: string): void {
    this.stopped = false;
    this.body = body;
    this.options.drafts.write(this.options.id, { body, base: this.base });
    this.failures = 0;
    if ([...body].length > MAX_NOTE_LENGTH) {
      clearTimeout(this.timer);
      this.set("too-long");
    } else this.schedule(SAVE_AFTER_MS);
  }

  /** The server has the highlight now, perhaps with the note as it was then. */
  arrive(saved: { body: string; updatedAt: string } | null): void {
    this.savedBody = saved?.body ?? "";
    this.base = saved?.updatedAt ?? null;
    if (this.body === this.savedBody) {
      clearTimeout(this.timer);
      this.clearDraft();
      this.set("saved");
    } else if (this.state !== "saved") {
      this.edit(this.body);
      this.flush();
    }
  }

  /** Saves now what is not saved yet. */
  flush(): void {
    if (["unsaved", "waiting", "failed"].includes(this.state)) this.schedule(0);
  }

  /** The article is left: one last try, and the draft waits here for the next visit. */
  stop(): void {
    this.flush();
    this.stopped = true;
  }

  /** The draft is another highlight's now: nothing more is saved under this id. */
  abandon(): void {
    clearTimeout(this.timer);
    this.stopped = true;
  }

  /** Settles a conflict with the text the server has. */
  takeSaved(): void {
    this.body = this.savedBody;
    this.clearDraft();
    this.set("saved");
  }

  /** Settles a conflict with the text typed here. */
  keepMine(): void {
    this.edit(this.body);
    this.flush();
  }

  /** The server's note changed, by this page or another one. */
  refresh(saved: { body: string; updatedAt: string } | null): void {
    if (this.state !== "saved") return;
    this.savedBody = saved?.body ?? "";
    this.base = saved?.updatedAt ?? null;
    if (this.body === this.savedBody) return;
    this.body = this.savedBody;
    this.set("saved");
  }

  /** Calls back on each change of text or state; returns the function that stops it. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    if (this.state !== "failed" && this.state !== "waiting") this.set("unsaved");
    this.timer = setTimeout(() => void this.save(), delay);
  }

  private async save(): Promise<void> {
    if (this.sending) return;
    const body = this.body;
    this.sending = true;
    if (this.state !== "waiting") this.set("saving");
    try {
      this.base = await this.options.send(body.trim() === "" ? "" : body);
      this.savedBody = body;
      this.failures = 0;
      this.error = null;
    } catch (error) {
      this.sending = false;
      this.fail(error);
      return;
    }
    this.sending = false;
    if (this.body === body) {
      this.clearDraft();
      this.set("saved");
    } else this.edit(this.body);
  }

  private fail(error: unknown): void {
    this.error = error;
    this.set(this.options.isWaiting(error) ? "waiting" : "failed");
    if (this.stopped || this.options.isFinal(error)) return;
    const delay = RETRY_AFTER_MS[Math.min(this.failures, RETRY_AFTER_MS.length - 1)] ?? 0;
    this.failures += 1;
    this.schedule(delay);
  }

  private clearDraft(): void {
    this.options.drafts.clear(this.options.id);
  }

  private set(state: SaveState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
