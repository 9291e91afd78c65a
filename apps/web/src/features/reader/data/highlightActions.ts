import type { QueryClient } from "@tanstack/react-query";
import { isReachable } from "../../../api/connection";
import {
  type Annotation,
  deleteAnnotation,
  type Highlight,
  putAnnotation,
} from "../../../api/highlights";
import { offerUndo } from "../../../shared/undo";
import { newId } from "./newId";
import type { Change, NewHighlight } from "./outbox";
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
    return withWaiting(list, ours, late).sort(inReadingOrder);
  };

  /** Highlights a passage; returns the new id, or null when no more can be kept. */
  create(fragmentId: string, body: NewHighlight): string | null {
    const id = newId();
    const change = { kind: "create" as const, id, fragmentId, body, at: this.now() };
    return this.sender.add(this.mediaId, change, body.exact) ? id : null;
  }

  /** Changes colour or passage. */
  update({ id, exact }: ReaderHighlight, changes: Partial<NewHighlight>): void {
    this.sender.add(this.mediaId, { kind: "update", id, changes }, exact);
  }

  /** Deletes a highlight, and offers to undo it. */
  remove(highlight: ReaderHighlight): void {
    const { id, exact, pending } = highlight;
    const { drafts, outbox } = this.sender;
    const draft = pending ? drafts.read(id) : null;
    const neverSent = outbox.creationOf(id)?.tried === false;
    this.sender.add(this.mediaId, { kind: "delete", id }, exact);
    if (draft) drafts.clear(id);
    const what =
      highlight.annotation || draft ? "Highlight and note deleted." : "Highlight deleted.";
    const words = isReachable() ? what : `${what} Waiting to sync.`;
    const undo = () => {
      if (draft) drafts.write(id, draft);
      const change = neverSent
        ? creationOf(highlight)
        : { kind: "restore" as const, id, highlight };
      this.sender.add(this.mediaId, change, exact);
    };
    offerUndo(words, undo);
  }

  /** Calls back when a new highlight turns out to be another device's; returns how to stop. */
  onAdopt(listener: (id: string, adoptedId: string) => void): () => void {
    return this.sender.onAdopt(listener);
  }

  /** Saves a note, or removes it when the text is empty; returns when it was saved. */
  saveNote = async (id: string, body: string): Promise<string | null> => {
    if (!this.isListed(id) && this.sender.outbox.creationOf(id)) throw new HighlightWaiting();
    const annotation = await this.sender.call(() =>
      body ? putAnnotation(id, body) : dropNote(id),
    );
    this.sender.changeList(this.mediaId, (list) =>
      list.map((one) => (one.id === id ? { ...one, annotation } : one)),
    );
    return annotation?.updated_at ?? null;
  };

  private isListed(id: string): boolean {
    const list = this.client.getQueryData<Highlight[]>(this.queryKey);
    return list?.some((one) => one.id === id) ?? false;
  }

  /** Now, but never older than what is there: the newest must win its colour at once. */
  private now(): string {
    const list = this.client.getQueryData<Highlight[]>(this.queryKey) ?? [];
    const shown = this.view(list, this.sender.snapshot());
    const newest = Math.max(0, ...shown.map(({ created_at }) => Date.parse(created_at) || 0));
    return new Date(Math.max(Date.now(), newest + 1)).toISOString();
  }
}

/** Creates again what the server has never heard of. */
function creationOf(highlight: Highlight): Change {
  const { id, fragment_id: fragmentId, created_at: at } = highlight;
  const { start_offset, end_offset, exact, prefix, suffix, color } = highlight;
  const body = { start_offset, end_offset, exact, prefix, suffix, color };
  return { kind: "create", id, fragmentId, body, at };
}

async function dropNote(id: string): Promise<Annotation | null> {
  try {
    await deleteAnnotation(id);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  return null;
}
