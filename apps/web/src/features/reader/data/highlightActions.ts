import type { QueryClient } from "@tanstack/react-query";
import { ApiError, isSessionEnd, isWorthRetrying } from "../../../api/errors";
import { errorWords } from "../../../api/errorWords";
import {
  createHighlight,
  deleteAnnotation,
  deleteHighlight,
  type Highlight,
  type HighlightSpan,
  putAnnotation,
  restoreHighlight,
  updateHighlight,
} from "../../../api/highlights";
import { showToast } from "../../../ui/toasts";
import { type Change, Outbox } from "./outbox";
import { highlightsQuery } from "./queries";
import { inReadingOrder, type ReaderHighlight } from "./readerHighlight";

type Changes = Partial<HighlightSpan & { color: string }>;

const PENDING = "pending-";
let made = 0;

/**
 * Changes to the highlights of one item. Each shows at once; when the server refuses, it is taken
 * back and the person is told. All calls go through the mutation cache, which ends the session.
 */
export class HighlightActions {
  private readonly outbox: Outbox;
  private readonly listKey;
  /** The key a highlight had before the server gave it an id. */
  private readonly keys = new Map<string, string>();
  private readonly views = new WeakMap<Highlight, ReaderHighlight>();
  private sending = 0;
  private outdated = false;
  private readonly creating = new Map<string, Promise<Highlight>>();

  constructor(
    private readonly client: QueryClient,
    private readonly mediaId: string,
    userId: string,
  ) {
    this.outbox = new Outbox(userId);
    this.listKey = highlightsQuery(mediaId).queryKey;
  }

  /** The list as the page shows it, in reading order. What did not change stays the same object. */
  view = (list: readonly Highlight[]): ReaderHighlight[] =>
    list.map((one) => this.viewOf(one)).sort(inReadingOrder);

  private viewOf(highlight: Highlight): ReaderHighlight {
    const known = this.views.get(highlight);
    if (known) return known;
    const key = this.keys.get(highlight.id) ?? highlight.id;
    const view = { ...highlight, key, pending: highlight.id.startsWith(PENDING) };
    this.views.set(highlight, view);
    return view;
  }

  /** Highlights a passage; answers its key. */
  create(fragmentId: string, body: HighlightSpan & { color: string }): string {
    made += 1;
    const key = `${PENDING}${made}`;
    const now = this.now();
    this.change((list) => [
      ...list,
      {
        ...body,
        id: key,
        fragment_id: fragmentId,
        created_at: now,
        updated_at: now,
        annotation: null,
      },
    ]);
    const sent = this.send({ kind: "create", fragmentId, body }, () =>
      createHighlight(fragmentId, body),
    );
    this.creating.set(key, sent);
    sent.then(
      (saved) => {
        this.keys.set(saved.id, key);
        this.change((list) => [...without(list, key, saved.id), saved]);
      },
      (error) => {
        this.change((list) => without(list, key));
        this.tell("This highlight was not saved.", error, () => this.create(fragmentId, body));
      },
    );
    return key;
  }

  /** Changes colour or passage. */
  async update(highlight: ReaderHighlight, changes: Changes): Promise<void> {
    const before = pick(highlight, changes);
    this.patch(highlight.key, changes);
    try {
      const id = await this.idOf(highlight.key);
      const saved = await this.send({ kind: "update", id, changes }, () =>
        updateHighlight(id, changes),
      );
      this.patch(highlight.key, { ...pick(saved, changes), updated_at: saved.updated_at });
    } catch (error) {
      this.patch(highlight.key, before);
      this.tell("The change was not saved.", error, () => void this.update(highlight, changes));
    }
  }

  /** Deletes a highlight, and offers to undo it. */
  async remove(highlight: ReaderHighlight): Promise<void> {
    this.change((list) => without(list, ...this.names(highlight.key)));
    try {
      const id = await this.idOf(highlight.key);
      await this.send({ kind: "delete", id }, () => deleteHighlight(id));
      const words = highlight.annotation ? "Highlight and note deleted." : "Highlight deleted.";
      showToast(words, "info", { label: "Undo", run: () => void this.restore(highlight, id) });
    } catch (error) {
      if (isGone(error)) return;
      this.change((list) => [...without(list, highlight.id), highlight]);
      this.tell("The highlight was not deleted.", error, () => void this.remove(highlight));
    }
  }

  private async restore(highlight: ReaderHighlight, id: string): Promise<void> {
    try {
      const saved = await this.run(() => restoreHighlight(id));
      this.keys.set(saved.id, highlight.key);
      this.change((list) => [...without(list, saved.id), saved]);
    } catch (error) {
      if (isGone(error)) showToast("It is too late to bring this highlight back.", "error");
      else
        this.tell(
          "The highlight did not come back.",
          error,
          () => void this.restore(highlight, id),
        );
    }
  }

  /** Saves a note, or removes it when the text is empty; answers when it was saved. */
  saveNote = async (key: string, body: string): Promise<string | null> => {
    const id = await this.idOf(key);
    const annotation = await this.run(() => (body ? putAnnotation(id, body) : this.dropNote(id)));
    this.patch(key, { annotation });
    return annotation?.updated_at ?? null;
  };

  private async dropNote(id: string): Promise<null> {
    try {
      await deleteAnnotation(id);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    return null;
  }

  /** Sends what an ended session or a closed page left behind. */
  async sendWaiting(): Promise<void> {
    const waiting = this.outbox.waiting(this.mediaId);
    if (waiting.length === 0) return;
    for (const { ticket, change } of waiting) {
      this.outbox.remove(ticket);
      // It may have arrived the first time: then it is there, or gone, as it should be.
      await this.send(change, () => sendAgain(change)).catch((error) => {
        if (!isGone(error) && !isConflict(error)) this.tell("A change was not saved.", error);
      });
    }
    this.outdated = true;
    await this.readAgain();
  }

  /** Sends a change; it stays in the outbox while nobody is signed in to send it. */
  private async send<T>(change: Change, call: () => Promise<T>): Promise<T> {
    const ticket = this.outbox.add(this.mediaId, change);
    try {
      const answer = await this.run(call);
      this.outbox.remove(ticket);
      return answer;
    } catch (error) {
      if (!isSessionEnd(error)) this.outbox.remove(ticket);
      throw error;
    }
  }

  private async run<T>(call: () => Promise<T>): Promise<T> {
    const mutation = this.client
      .getMutationCache()
      .build<T, Error, void, unknown>(this.client, { mutationFn: call, networkMode: "always" });
    this.sending += 1;
    try {
      return await mutation.execute(undefined);
    } finally {
      this.sending -= 1;
      // After those who wait for this answer have put it into the list.
      setTimeout(() => void this.readAgain());
    }
  }

  private async idOf(key: string): Promise<string> {
    const saved = await this.creating.get(key);
    return saved?.id ?? key;
  }

  private names(key: string): string[] {
    return [key, ...[...this.keys].filter(([, known]) => known === key).map(([id]) => id)];
  }

  private patch(key: string, changes: Partial<Highlight>): void {
    const names = this.names(key);
    this.change((list) =>
      list.map((one) => (names.includes(one.id) ? { ...one, ...changes } : one)),
    );
  }

  private change(update: (list: Highlight[]) => Highlight[]): void {
    const list = this.client.getQueryData<Highlight[]>(this.listKey);
    if (list && this.client.isFetching({ queryKey: this.listKey }) > 0) {
      // An answer that was asked for before this change would undo it on the page.
      void this.client.cancelQueries({ queryKey: this.listKey });
      this.outdated = true;
    }
    if (list) this.client.setQueryData(this.listKey, update(list));
    else this.outdated = true;
  }

  /** Asks again for what a change kept from being read, once all changes are through. */
  private async readAgain(): Promise<void> {
    if (this.sending > 0 || !this.outdated) return;
    this.outdated = false;
    // The first answer, still on its way, may be from before the change.
    await this.client.cancelQueries({ queryKey: this.listKey });
    await this.client.invalidateQueries({ queryKey: this.listKey });
  }

  /** Now, but never older than what is there: the newest must win its colour at once. */
  private now(): string {
    const list = this.client.getQueryData<Highlight[]>(this.listKey) ?? [];
    const newest = Math.max(0, ...list.map(({ created_at }) => Date.parse(created_at) || 0));
    return new Date(Math.max(Date.now(), newest + 1)).toISOString();
  }

  private tell(what: string, error: unknown, again?: () => void): void {
    if (isSessionEnd(error)) return;
    const action = again && isWorthRetrying(error) ? { label: "Try again", run: again } : undefined;
    showToast(`${what} ${errorWords(error)}`, "error", action);
    if (isConflict(error) || isGone(error)) {
      void this.client.invalidateQueries({ queryKey: this.listKey });
    }
  }
}

function sendAgain(change: Change): Promise<unknown> {
  if (change.kind === "create") return createHighlight(change.fragmentId, change.body);
  if (change.kind === "update") return updateHighlight(change.id, change.changes);
  return deleteHighlight(change.id);
}

function without(list: readonly Highlight[], ...ids: string[]): Highlight[] {
  return list.filter(({ id }) => !ids.includes(id));
}

function pick(highlight: Highlight, changes: Changes): Partial<Highlight> {
  const names = Object.keys(changes) as (keyof Changes)[];
  return Object.fromEntries(names.map((name) => [name, highlight[name]]));
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === "E_HIGHLIGHT_CONFLICT";
}
