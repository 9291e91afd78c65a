import {
  type CanonicalMap,
  canonicalize,
  type Offsets,
  offsetsToRange,
  rangeToOffsets,
  touchesCode,
} from "../../../canonical";
import { onceActed } from "../../../ui/onceActed";
import { insideTarget } from "../links/insideLink";
import { type NoteLinks, noteLinks } from "../links/notes";
import { type Contents, headingContents } from "./contents";
import { HighlightLayer } from "./highlightLayer";
import { offsetAt } from "./hitTest";
import { boxesOf } from "./lineBoxes";
import { landingIn, lineAt, offsetUnder } from "./linesOf";
import type { Emphasis } from "./painter";
import type { Landing, ReadingText, SelectedPassage, TextCheck, TextPiece } from "./readingText";
import type { Span, TextSegment } from "./segments";
import { VisibleText } from "./visibleText";

/** Up to here everything is drawn at once; beyond it only what is near the screen. */
const MAX_DRAWN_AT_ONCE = 400;
const SETTLING_FRAMES = 6;

interface ArticleTextOptions {
  /** The text as the server has it. */
  canonicalText?: string;
  /** Which fragment of the document the text is. */
  fragment?: number;
  /** Blocks far from the screen have a guessed height. */
  guessed?: boolean;
}

/** A text that is on the page as a whole: an article, or the text of a file without its pages. */
export class ArticleText implements ReadingText {
  readonly map: CanonicalMap;
  readonly contents: Contents;
  readonly check: TextCheck;
  private readonly fragment: number;
  private readonly guessed: boolean;
  private readonly layer: HighlightLayer;
  private foundNotes: NoteLinks | null = null;
  private visible: VisibleText | null = null;
  private everything = false;
  private stopSettling: () => void = () => undefined;

  constructor(
    readonly root: HTMLElement,
    { canonicalText, fragment = 0, guessed = false }: ArticleTextOptions = {},
  ) {
    this.map = canonicalize(root);
    this.fragment = fragment;
    this.guessed = guessed;
    const differs = canonicalText !== undefined && canonicalText !== this.map.text;
    this.check = { usable: !differs, differs };
    this.contents = headingContents(root);
    this.layer = new HighlightLayer((passage) => this.rangeOf(passage));
  }

  pieceAt(): TextPiece {
    const { text, codePoints } = this.map;
    return { text, codePoints, start: 0 };
  }

  async *pieces(): AsyncGenerator<TextPiece> {
    yield this.pieceAt();
  }

  get notes(): NoteLinks {
    this.foundNotes ??= noteLinks(this.map, this.fragment);
    return this.foundNotes;
  }

  /** Draws everything, for paper, which has no screen to be near; or as usual again. */
  set printing(printing: boolean) {
    this.everything = printing;
    this.draw();
  }

  /** All lines are there from the beginning; that they move is seen by the size of the root. */
  onChange(): () => void {
    return () => undefined;
  }

  selected(range: Range): SelectedPassage | null {
    const passage = rangeToOffsets(this.map, range);
    return passage && { passage, code: touchesCode(this.map, range) };
  }

  rangeOf(passage: Offsets): Range | null {
    return offsetsToRange(this.map, passage);
  }

  setHighlights(spans: readonly Span[]): void {
    const start = performance.now();
    this.layer.set(spans);
    const many = this.layer.size > MAX_DRAWN_AT_ONCE;
    if (many) this.visible ??= new VisibleText(this.map, () => this.draw());
    else this.forgetVisible();
    this.draw();
    performance.measure("nexus-draw-highlights", { start });
  }

  private draw(): void {
    this.layer.draw(this.everything ? undefined : this.visible?.passages());
  }

  emphasize(emphasis: Emphasis, passages: readonly Offsets[]): void {
    this.layer.emphasize(emphasis, passages);
  }

  idsAt(x: number, y: number): readonly string[] {
    return this.layer.idsAt(offsetAt(this.map, x, y));
  }

  stackOn(id: string): TextSegment | null {
    return this.layer.stackOn(id);
  }

  firstLine({ start, end }: Offsets): DOMRect | null {
    return lineAt(this.map, start, end);
  }

  lines(passage: Offsets): DOMRect[] {
    return boxesOf(this.rangeOf(passage));
  }

  offsetBelow(y: number): number | null {
    return offsetUnder(this.map, this.root, y);
  }

  scrollTo(offset: number, top: number, behavior: ScrollBehavior = "instant"): void {
    const line = this.firstLine({ start: offset, end: offset + 40 });
    if (!line) return;
    this.stopSettling();
    window.scrollTo({ top: line.top + window.scrollY - top, behavior });
    if (this.guessed && behavior === "instant") this.settle(offset, top);
  }

  /**
   * The blocks above a line get their true heights only once they are near the screen. Somebody who
   * moves on meanwhile is not brought back.
   */
  private settle(offset: number, top: number): void {
    let frames = SETTLING_FRAMES;
    let frame = 0;
    const stay = () => {
      const line = this.firstLine({ start: offset, end: offset + 40 });
      if (line && Math.abs(line.top - top) > 1) {
        window.scrollBy({ top: line.top - top, behavior: "instant" });
      }
      frames -= 1;
      if (frames > 0) frame = requestAnimationFrame(stay);
      else this.stopSettling();
    };
    frame = requestAnimationFrame(stay);
    const stopListening = onceActed(() => this.stopSettling());
    this.stopSettling = () => {
      cancelAnimationFrame(frame);
      stopListening();
    };
  }

  targetOf(link: HTMLAnchorElement): number | null {
    const target = insideTarget(link.getAttribute("href"));
    return target?.fragment === this.fragment ? target.offset : null;
  }

  landingAt(offset: number): Landing {
    return landingIn(this.map, this.root, offset);
  }

  destroy(): void {
    this.stopSettling();
    this.forgetVisible();
    this.layer.destroy();
  }

  private forgetVisible(): void {
    this.visible?.destroy();
    this.visible = null;
  }
}
