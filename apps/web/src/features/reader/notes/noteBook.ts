import type { ReaderHighlight } from "../data/readerHighlight";
import type { Drafts } from "./drafts";
import { NoteSaver } from "./noteSaver";

interface NoteBookOptions {
  drafts: Drafts;
  /** Sends the note of the highlight with this key. */
  send: (key: string, body: string) => Promise<string | null>;
  isFinal: (error: unknown) => boolean;
  isWaiting: (error: unknown) => boolean;
}

/** The notes being written on one article. They go on saving when their card is not shown. */
export class NoteBook {
  private readonly savers = new Map<string, NoteSaver>();

  constructor(private readonly options: NoteBookOptions) {}

  /** The note of a highlight. */
  open(highlight: ReaderHighlight): NoteSaver {
    const known = this.savers.get(highlight.key);
    if (known) return known;
    const { drafts, send, isFinal, isWaiting } = this.options;
    const saver = new NoteSaver({
      drafts,
      name: highlight.id,
      saved: savedNote(highlight),
      send: (body) => send(highlight.key, body),
      isFinal,
      isWaiting,
    });
    this.savers.set(highlight.key, saver);
    return saver;
  }

  /** Takes up drafts left by an earlier visit, and changes made elsewhere. */
  follow(highlights: readonly ReaderHighlight[]): void {
    for (const highlight of highlights) {
      const saver = this.savers.get(highlight.key);
      if (saver?.name === highlight.id) saver.refresh(savedNote(highlight));
      else if (saver) saver.arrive(highlight.id, savedNote(highlight));
      else if (this.options.drafts.read(highlight.id)) this.open(highlight);
    }
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
