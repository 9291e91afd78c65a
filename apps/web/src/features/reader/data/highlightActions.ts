import type { QueryClient } from "@tanstack/react-query";
import { isReachable } from "../../../api/connection";
import {
  type Annotation,
  deleteAnnotation,
  type Highlight,
  putAnnotation,
} from "../../../api/highlights";
import { showToast } from "../../../ui/toasts";
import { type NewHighlight, newKey } from "./outbox";
import type { OutboxSender, Waiting } from "./outboxSender";
import { highlightsQuery } from "./queries";
import { inReadingOrder, type ReaderHighlight } from "./readerHighlight";
import { isGone } from "./refusals";
import { withWaiting } from "./withWaiting";

/** The highlight of a note has not reached the server, so the note cannot either. */
export class HighlightWaiting extends Error {}

/**
 * Changes to the highlights of one item. Each goes into the outbox, and what the page shows is
 * the server's list with the outbox over it: what is kept stays, what is refused is taken back.
 */
export class HighlightActions {
  private readonly queryKey;

  constructor(
    private readonly client: QueryClient,
    private readonly mediaId: string,
    private readonly sender: OutboxSender,
  ) {
    this.queryKey = highlightsQuery(mediaId).queryKey;
  }

  /** The highlights as the page shows them, in reading order. */
  view = (list: readonly Highlight[], { changes, late }: Waiting): ReaderHighlight[] => {
    const ours = changes.filter(({ mediaId }) => mediaId === this.mediaId);
    return withWaiting(list, ours, this.sender.outbox, late).sort(inReadingOrder);
  };

  /** Highlights a passage; returns its key, or null when no more can be kept. */
  create(fragmentId: string, body: NewHighlight): string | null {
    const key = newKey();
    const change = { kind: "create" as const, key, fragmentId, body, at: this.now() };
    return this.sender.add(this.mediaId, change, body.exact) ? key : null;
  }

  /** Changes colour or passage. */
  update({ id, exact }: ReaderHighlight, changes: Partial<NewHighlight>): void {
    this.sender.add(this.mediaId, { kind: "update", target: id, changes }, exact);
  }

  /** Deletes a highlight, and offers to undo it. */
  remove(highlight: ReaderHighlight): void {
    const { id, exact, pending } = highlight;
    const { drafts } = this.sender;
    const draft = pending ? drafts.read(id) : null;
    this.sender.add(this.mediaId, { kind: "delete", target: id }, exact);
    if (draft) drafts.clear(id);
    const what =
      highlight.annotation || draft ? "Highlight and note deleted." : "Highlight deleted.";
    const words = isReachable() ? what : `${what} Waiting to sync.`;
    const undo = () => {
      if (draft) drafts.write(id, draft);
      this.restore(highlight);
    };
    showToast(words, "info", { label: "Undo", run: undo });
  }

  private restore(highlight: ReaderHighlight): void {
    const { outbox } = this.sender;
    const { id, exact, fragment_id: fragmentId, created_at: at, pending } = highlight;
    const isKnown =
      outbox.idOf(id) !== null ||
      outbox.waiting().some(({ change }) => {
        return change.kind === "create" && change.key === id;
      });
    if (pending && !isKnown) {
      // The server has never heard of it.
      const create = { kind: "create" as const, key: id, fragmentId, body: bodyOf(highlight), at };
      this.sender.add(this.mediaId, create, exact);
    } else {
      const saved = { ...highlight, id: outbox.idOf(id) ?? id };
      this.sender.add(this.mediaId, { kind: "restore", target: id, highlight: saved }, exact);
    }
  }

  /** Saves a note, or removes it when the text is empty; returns when it was saved. */
  saveNote = async (key: string, body: string): Promise<string | null> => {
    const id = this.sender.outbox.idOf(key);
    if (!id) throw new HighlightWaiting();
    const annotation = await this.sender.call(() =>
      body ? putAnnotation(id, body) : dropNote(id),
    );
    this.sender.changeList(this.mediaId, (list) =>
      list.map((one) => (one.id === id ? { ...one, annotation } : one)),
    );
    return annotation?.updated_at ?? null;
  };

  /** Now, but never older than what is there: the newest must win its colour at once. */
  private now(): string {
    const list = this.client.getQueryData<Highlight[]>(this.queryKey) ?? [];
    const shown = this.view(list, this.sender.snapshot());
    const newest = Math.max(0, ...shown.map(({ created_at }) => Date.parse(created_at) || 0));
    return new Date(Math.max(Date.now(), newest + 1)).toISOString();
  }
}

function bodyOf(highlight: Highlight): NewHighlight {
  const { start_offset, end_offset, exact, prefix, suffix, color } = highlight;
  return { start_offset, end_offset, exact, prefix, suffix, color };
}

async function dropNote(id: string): Promise<Annotation | null> {
  try {
    await deleteAnnotation(id);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  return null;
}
