import type { Offsets } from "../../../canonical";
import { type CoverLine, coverLinesOf } from "./coverLines";
import { canDraw, type Emphasis, HighlightPainter } from "./painter";
import { type Span, segmentAt, segmentsOf, type TextSegment } from "./segments";
import { clip } from "./visibleText";

/** The highlights on a text: which there are, and what of them is drawn. */
export class HighlightLayer {
  private readonly painter: HighlightPainter | null;
  private readonly emphases = new Map<Emphasis, readonly Offsets[]>();
  private segments: readonly TextSegment[] = [];
  private lanes: readonly (readonly CoverLine[])[] = [];

  constructor(toRange: (passage: Offsets) => Range | null) {
    this.painter = canDraw() ? new HighlightPainter(toRange) : null;
  }

  /** How many pieces of text have highlights. */
  get size(): number {
    return this.segments.length;
  }

  set(spans: readonly Span[]): void {
    this.segments = segmentsOf(spans);
    this.lanes = coverLinesOf(this.segments, spans);
  }

  /** Draws everything, or only what lies in some sorted, disjoint passages. */
  draw(passages?: readonly Offsets[]): void {
    if (!passages) this.painter?.draw(this.segments, this.lanes);
    else {
      const lanes = this.lanes.map((lines) => clip(lines, passages));
      this.painter?.draw(clip(this.segments, passages), lanes);
    }
  }

  emphasize(emphasis: Emphasis, passages: readonly Offsets[]): void {
    this.emphases.set(emphasis, passages);
    this.painter?.emphasize(emphasis, passages);
  }

  /** Marks again what was marked, on lines that have come since. */
  emphasizeAgain(): void {
    for (const [emphasis, passages] of this.emphases) this.painter?.emphasize(emphasis, passages);
  }

  idsAt(offset: number | null): readonly string[] {
    return offset === null ? [] : (segmentAt(this.segments, offset)?.ids ?? []);
  }

  stackOn(id: string): TextSegment | null {
    const here = this.segments.filter(({ ids }) => ids.includes(id));
    const [most] = here.sort((a, b) => b.ids.length - a.ids.length || a.start - b.start);
    return most ?? null;
  }

  destroy(): void {
    this.painter?.destroy();
  }
}
