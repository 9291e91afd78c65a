import type { Fragment } from "../../../api/fragments";
import { type CanonicalMap, canonicalize } from "../../../canonical";
import { cx } from "../../../ui/cx";
import article from "../Article.module.css";
import { type NoteLinks, noteLinks } from "../links/notes";
import { landingIn, lineAt } from "../text/linesOf";
import type { Landing, TextPiece } from "../text/readingText";
import { fillWith, lookAfter } from "../text/showFragment";
import styles from "./Book.module.css";

export interface ChapterOptions {
  index: number;
  /** Where its text begins in the book. */
  start: number;
  language: string | null;
  label: string;
  /** Without a break between it and the one before, and the one after. */
  joins: { before: boolean; after: boolean };
}

/** One fragment of a book on the page. Offsets are those of the book. */
export class Chapter {
  readonly element = document.createElement("section");
  readonly index: number;
  readonly start: number;
  readonly map: CanonicalMap;
  /** Its text is the server's: offsets mean the same on both sides. */
  readonly usable: boolean;
  private readonly number: number;
  private foundNotes: NoteLinks | null = null;
  private readonly stop: () => void;

  constructor(fragment: Fragment, { index, start, language, label, joins }: ChapterOptions) {
    this.index = index;
    this.start = start;
    this.number = fragment.idx;
    const { element } = this;
    element.className = cx(article.body, styles.chapter);
    element.lang = language ?? "";
    element.dataset.chapter = String(index);
    element.setAttribute("aria-label", label);
    const sides = (["before", "after"] as const).filter((side) => joins[side]);
    element.dataset.joins = sides.join(" ");
    fillWith(element, fragment, { images: fragment.images, language });
    this.map = canonicalize(element);
    this.usable = this.map.text === fragment.canonical_text;
    this.stop = lookAfter(element);
  }

  get end(): number {
    return this.start + this.map.codePoints.length;
  }

  get notes(): NoteLinks {
    this.foundNotes ??= noteLinks(this.map, this.number);
    return this.foundNotes;
  }

  get piece(): TextPiece {
    const { text, codePoints } = this.map;
    return { text, codePoints, start: this.start };
  }

  /** The box of the line of an offset; a chapter of pictures is one line. */
  lineAt(offset: number): DOMRect {
    const inside = Math.min(offset - this.start, this.map.codePoints.length - 1);
    const line = inside >= 0 ? lineAt(this.map, inside) : null;
    if (line) return line;
    const { left, top, width } = this.element.getBoundingClientRect();
    return new DOMRect(left, top, width, 20);
  }

  landingAt(offset: number): Landing {
    const { passage, element } = landingIn(this.map, this.element, offset - this.start);
    const { start, end } = passage;
    return { passage: { start: this.start + start, end: this.start + end }, element };
  }

  remove(): void {
    this.stop();
    this.element.remove();
  }
}
