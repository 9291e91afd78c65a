import {
  type CanonicalMap,
  canonicalize,
  type Offsets,
  offsetOfPoint,
  offsetsToRange,
} from "../../../canonical";
import { type CoverLine, coverLinesOf } from "./coverLines";
import { caretAt, isTextIn, offsetAt } from "./hitTest";
import { canDraw, type Emphasis, HighlightPainter } from "./painter";
import { type Span, segmentAt, segmentsOf, type TextSegment } from "./segments";
import { clip, VisibleText } from "./visibleText";

/** Up to here everything is drawn at once; beyond it only what is near the screen. */
const MAX_DRAWN_AT_ONCE = 400;
// An image or a gap may be at the place looked at.
const PROBE_DEPTH = 400;
const PROBE_STEP = 12;

/** The text on the page: its mapping to offsets, the highlights drawn on it, and where things are. */
export class ArticleText {
  readonly map: CanonicalMap;
  private readonly painter: HighlightPainter | null;
  private visible: VisibleText | null = null;
  private segments: readonly TextSegment[] = [];
  private everything = false;
  private lanes: readonly (readonly CoverLine[])[] = [];

  constructor(readonly root: HTMLElement) {
    this.map = canonicalize(root);
    this.painter = canDraw() ? new HighlightPainter(this.map) : null;
  }

  /** Draws everything, for paper, which has no screen to be near; or as usual again. */
  set printing(printing: boolean) {
    this.everything = printing;
    this.draw();
  }

  /** Shows exactly these highlights. */
  setHighlights(spans: readonly Span[]): void {
    const start = performance.now();
    this.segments = segmentsOf(spans);
    this.lanes = coverLinesOf(this.segments, spans);
    const many = this.segments.length > MAX_DRAWN_AT_ONCE;
    if (many) this.visible ??= new VisibleText(this.map, () => this.draw());
    else this.forgetVisible();
    this.draw();
    performance.measure("nexus-draw-highlights", { start });
  }

  private draw(): void {
    const passages = this.everything ? undefined : this.visible?.passages();
    if (!passages) this.painter?.draw(this.segments, this.lanes);
    else {
      const lanes = this.lanes.map((lines) => clip(lines, passages));
      this.painter?.draw(clip(this.segments, passages), lanes);
    }
  }

  /** Marks passages as the focused or pointed-at ones. */
  emphasize(emphasis: Emphasis, passages: readonly Offsets[]): void {
    this.painter?.emphasize(emphasis, passages);
  }

  /** The highlights under a point of the window, the newest first. */
  idsAt(x: number, y: number): readonly string[] {
    const offset = offsetAt(this.map, x, y);
    return offset === null ? [] : (segmentAt(this.segments, offset)?.ids ?? []);
  }

  /** The place where most highlights lie on the given one, with all of them. */
  stackOn(id: string): TextSegment | null {
    const here = this.segments.filter(({ ids }) => ids.includes(id));
    const [most] = here.sort((a, b) => b.ids.length - a.ids.length || a.start - b.start);
    return most ?? null;
  }

  /** The box of a passage's first line, in window coordinates. */
  firstLine({ start, end }: Offsets): DOMRect | null {
    // The first character is enough, and cheap; a line break has no box, so look a little further.
    const range = offsetsToRange(this.map, { start, end: Math.min(end, start + 2) });
    return range ? (firstBox(range) ?? range.getBoundingClientRect()) : null;
  }

  /** The boxes of a passage's lines, in window coordinates. */
  lines(passage: Offsets): DOMRect[] {
    const range = offsetsToRange(this.map, passage);
    return range ? [...range.getClientRects()].filter(({ width }) => width > 0) : [];
  }

  /** The offset of the first line of text below a height of the window. */
  offsetBelow(y: number): number | null {
    const box = this.root.getBoundingClientRect();
    const x = this.root.dir === "rtl" ? box.right - 1 : box.left + 1;
    for (let probe = Math.max(y, box.top + 1); probe < y + PROBE_DEPTH; probe += PROBE_STEP) {
      const caret = caretAt(x, probe);
      if (caret && isTextIn(this.root, caret.node)) {
        return offsetOfPoint(this.map, caret.node, caret.offset);
      }
    }
    return null;
  }

  destroy(): void {
    this.forgetVisible();
    this.painter?.destroy();
  }

  private forgetVisible(): void {
    this.visible?.destroy();
    this.visible = null;
  }
}

function firstBox(range: Range): DOMRect | undefined {
  for (const box of range.getClientRects()) if (box.width > 0) return box;
  return undefined;
}
