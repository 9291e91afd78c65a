import type { ReaderHighlight } from "../data/readerHighlight";
import { draftName } from "../data/readerHighlight";
import type { Drafts } from "./drafts";
import { NoteSaver } from "./noteSaver";

interface NoteBookOptions {
  drafts: Drafts;
  /** Sends the note of the highlight with this key. */
  send: (key: string, body: string) => Promise<string | null>;
  isFinal: (error: unknown) => boolean;
}

/** The notes being written on one article. They go on saving when their card is not shown. */
export class NoteBook {
  private readonly savers = new Map<string, NoteSaver>();

  constructor(private readonly options: NoteBookOptions) {}

  /** The note of a highlight. */
  open(highlight: ReaderHighlight): NoteSaver {
    const known = this.savers.get(highlight.key);
    if (known) return known;
    const { drafts, send, isFinal } = this.options;
    const saver = new NoteSaver({
      drafts,
      name: draftName(highlight),
      saved: savedNote(highlight),
      send: (body) => send(highlight.key, body),
      isFinal,
    });
    this.savers.set(highlight.key, saver);
    return saver;
  }

  /** Takes up drafts left by an earlier visit, and changes made elsewhere. */
  follow(highlights: readonly ReaderHighlight[]): void {
    for (const highlight of highlights) {
      const saver = this.savers.get(highlight.key);
      if (saver) {
        saver.rename(draftName(highlight));
        saver.refresh(savedNote(highlight));
      } else if (this.options.drafts.read(draftName(highlight))) this.open(highlight);
    }
  }

  /** Saves everything now, for when the page may be left. */
  flush(): void {
    for (const saver of this.savers.values()) saver.flush();
  }
}

function savedNote({ annotation }: ReaderHighlight) {
  return annotation && { body: annotation.body, updatedAt: annotation.updated_at };
}
