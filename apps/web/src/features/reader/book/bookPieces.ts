import type { Fragment } from "../../../api/fragments";
import { CodePointIndex } from "../../../canonical";
import type { TextPiece } from "../text/readingText";
import type { BookOffsets } from "./bookOffsets";

const PARALLEL = 6;
/** Texts that were searched are kept for the next search up to this many characters, and so long. */
const MAX_KEPT = 20_000_000;
const KEPT_MS = 60_000;

interface PiecesOptions {
  offsets: BookOffsets;
  /** The text of a chapter that is on the page. */
  shown: (index: number) => TextPiece | null;
  fetch: (index: number, signal: AbortSignal) => Promise<Pick<Fragment, "canonical_text">>;
}

/** The text of a book for searching: fetched a few chapters at a time, and soon forgotten. */
export class BookPieces {
  private readonly kept = new Map<number, TextPiece>();
  private size = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: PiecesOptions) {}

  /** The text of a chapter, if it is here. */
  get(index: number): TextPiece | null {
    return this.options.shown(index) ?? this.kept.get(index) ?? null;
  }

  async *from(offset: number, signal: AbortSignal): AsyncGenerator<TextPiece> {
    const { offsets } = this.options;
    const first = offsets.indexAt(offset);
    const coming: Promise<TextPiece>[] = [];
    for (let at = 0; at < offsets.count; at += 1) {
      for (let next = coming.length; next < Math.min(at + PARALLEL, offsets.count); next += 1) {
        const piece = this.fetch((first + next) % offsets.count, signal);
        // It is heard of when its turn comes.
        piece.catch(() => undefined);
        coming.push(piece);
      }
      const piece = await coming[at];
      if (signal.aborted || !piece) return;
      yield piece;
    }
  }

  forget(): void {
    clearTimeout(this.timer);
    this.kept.clear();
    this.size = 0;
  }

  private async fetch(index: number, signal: AbortSignal): Promise<TextPiece> {
    const here = this.get(index);
    if (here) return here;
    const { canonical_text: text } = await this.options.fetch(index, signal);
    const start = this.options.offsets.start(index);
    const piece = { text, codePoints: new CodePointIndex(text), start };
    this.keep(index, piece);
    return piece;
  }

  private keep(index: number, piece: TextPiece): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.forget(), KEPT_MS);
    if (this.size + piece.text.length > MAX_KEPT) return;
    this.size += piece.text.length;
    this.kept.set(index, piece);
  }
}
