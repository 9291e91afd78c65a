import type { ReaderHighlight } from "../data/readerHighlight";
import type { Drafts } from "./drafts";
import { NoteSaver } from "./noteSaver";

interface NoteBookOptions {
  drafts: Drafts;
  /** Sends the note of the highlight with this id. */
  send: (id: string, body: string) => Promise<string | null>;
  isFinal: (error: unknown) => boolean;
  isWaiting: (error: unknown) => boolean;
}

/** The notes being written on one article. They go on saving when their card is not shown. */
export class NoteBook {
  private readonly savers = new Map<string, NoteSaver>();
  /** Those of highlights that the server did not have. */
  private readonly early = new Set<string>();

  constructor(private readonly options: NoteBookOptions) {}

  /** The note of a highlight. */
  open(highlight: ReaderHighlight): NoteSaver {
    const { id, pending } = highlight;
    const known = this.savers.get(id);
    if (known) return known;
    const { drafts, send, isFinal, isWaiting } = this.options;
    const saver = new NoteSaver({
      drafts,
      id,
      saved: savedNote(highlight),
      send: (body) => send(id, body),
      isFinal,
      isWaiting,
    });
    this.savers.set(id, saver);
    if (pending) this.early.add(id);
    return saver;
  }

  /** Takes up drafts left by an earlier visit, and changes made elsewhere. */
  follow(highlights: readonly ReaderHighlight[]): void {
    for (const highlight of highlights) {
      const { id, pending } = highlight;
      const saver = this.savers.get(id);
      if (!saver) {
        if (this.options.drafts.read(id)) this.open(highlight);
      } else if (!pending && this.early.delete(id)) saver.arrive(savedNote(highlight));
      else saver.refresh(savedNote(highlight));
    }
  }

  /** The highlight turned out to be one with another id, and its draft is there. */
  drop(id: string): void {
    this.savers.get(id)?.abandon();
    this.savers.delete(id);
    this.early.delete(id);
  }

  /** The article is left. Two visits must not save different texts of one note. */
  close(): void {
    for (const saver of this.savers.values()) saver.stop();
  }

  /** Saves everything now, for when the page may be left. */
  flush(): void {
    for (const saver of this.savers.values()) saver.flush();
  }
}

function savedNote({ annotation }: ReaderHighlight) {
  return annotation && { body: annotation.body, updatedAt: annotation.updated_at };
}
