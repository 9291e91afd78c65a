import type { CodePointIndex, Offsets } from "../../../canonical";
import type { NoteLinks } from "../links/notes";
import type { Contents } from "./contents";
import type { Emphasis } from "./painter";
import type { Span, TextSegment } from "./segments";

/** A part of the text that is selected. */
export interface SelectedPassage {
  readonly passage: Offsets;
  /** It has some code in it, which is highlighted only where the person allows it. */
  readonly code: boolean;
}

/** A stretch of the canonical text, and where it begins in the whole. */
export interface TextPiece {
  readonly text: string;
  readonly codePoints: CodePointIndex;
  readonly start: number;
}

/** Whether the text on the page is the server's: offsets mean nothing on another one. */
export interface TextCheck {
  /** Highlights can be drawn and made, at least somewhere. */
  readonly usable: boolean;
  /** Something that is shown differs from the server's text. */
  readonly differs: boolean;
}

/** Where a jump arrives: what is marked for a moment, and what takes focus. */
export interface Landing {
  readonly passage: Offsets;
  readonly element: HTMLElement;
  /** At which height of the window, where not every one will do. */
  readonly top?: number;
}

/**
 * A text that is read and highlighted, whatever shows it: an article, or pages of which only some
 * are drawn. Everything in the reader that is the same for all kinds knows the text by this alone.
 * Offsets are code points of the canonical text; boxes are in window coordinates.
 */
export interface ReadingText {
  /** Holds all of the text. It takes focus, and hears the pointer and the keys. */
  readonly root: HTMLElement;
  readonly contents: Contents;
  /** References that open a note beside them; null where there are none by nature. */
  readonly notes: NoteLinks | null;
  /** The same object until something about it changes, which `onChange` tells. */
  readonly check: TextCheck;

  /** Where reading begins for somebody who was never here; the top where it does not say. */
  readonly start?: number | null;
  /** How much of the text is read, from 0 to 1, where the height of the page does not tell. */
  progress?(): number;

  /**
   * The canonical text around an offset, as the server has it: all of it, or what is one piece by
   * nature. Null where it is not here. Only to be asked for while `check` says usable.
   */
  pieceAt(offset: number): TextPiece | null;
  /** All pieces, from the one with an offset to the end, then those before it; fetched if need be. */
  pieces(from: number, signal: AbortSignal): AsyncIterable<TextPiece>;

  /** Tells when lines came, went or moved, or the check changed. Returns how to stop it. */
  onChange(listener: () => void): () => void;

  /** What a DOM range covers, without whitespace at its edges; null when that is nothing. */
  selected(range: Range): SelectedPassage | null;
  /** The DOM range of a passage, as far as it is on the page now; null when none of it is. */
  rangeOf(passage: Offsets): Range | null;

  /** Shows exactly these highlights. */
  setHighlights(spans: readonly Span[]): void;
  /** Marks passages as the focused or pointed-at ones, or as where a link has led. */
  emphasize(emphasis: Emphasis, passages: readonly Offsets[]): void;
  /** The highlights under a point of the window, the newest first. */
  idsAt(x: number, y: number): readonly string[];
  /** The place where most highlights lie on the given one, with all of them. */
  stackOn(id: string): TextSegment | null;

  /** The box of a passage's first line; where that is not drawn yet, about where it will be. */
  firstLine(passage: Offsets): DOMRect | null;
  /** The boxes of a passage's lines that are on the page. */
  lines(passage: Offsets): DOMRect[];
  /** The offset of the first line of text below a height of the window. */
  offsetBelow(y: number): number | null;
  /** Scrolls until the line of an offset is at a height of the window, drawn already or not. */
  scrollTo(offset: number, top: number, behavior?: ScrollBehavior): void;

  /** Where a link inside the text leads to; null for one that leads elsewhere, or too late. */
  targetOf(link: HTMLAnchorElement): number | null | Promise<number | null>;
  landingAt(offset: number): Landing;
  /**
   * Gets what a jump to an offset needs, where that may be missing. The offset again, or null if the
   * person has gone to another place meanwhile.
   */
  ready?(offset: number): Promise<number | null>;
  /** The links around an offset, in order, where not all of them are on the page. */
  linksNear?(offset: number): HTMLAnchorElement[];
  /** What the part of the text is called that an offset is in. */
  chapterAt?(offset: number): string | null;
}
