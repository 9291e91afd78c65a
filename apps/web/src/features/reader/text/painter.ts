import type { Offsets } from "../../../canonical";
import { COLORS } from "../colors";
import type { CoverLine } from "./coverLines";
import type { TextSegment } from "./segments";

/** Whether the browser can draw highlights without changing the page. */
export function canDraw(): boolean {
  return typeof Highlight === "function" && typeof CSS !== "undefined" && "highlights" in CSS;
}

export type Emphasis = "active" | "hover" | "target" | "found" | "found-here";

const EMPHASES: readonly Emphasis[] = ["target", "found", "found-here", "hover", "active"];

/**
 * Draws segments with the CSS Custom Highlight API: the article's nodes and the selection stay
 * as they are. Only what changed since the last drawing is drawn again.
 */
export class HighlightPainter {
  private readonly layers = new Map<string, Highlight>();
  private drawn = new Map<string, { layer: string; range: StaticRange }>();

  constructor(private readonly toRange: (passage: Offsets) => Range | null) {
    for (const color of COLORS) this.addLayer(color, 0);
    for (const [order, emphasis] of EMPHASES.entries()) this.addLayer(emphasis, order + 1);
  }

  private addLayer(name: string, priority: number): Highlight {
    const layer = new Highlight();
    layer.priority = priority;
    this.layers.set(name, layer);
    CSS.highlights.set(`nexus-${name}`, layer);
    return layer;
  }

  /** Shows exactly these segments, and these lines under them, lane by lane. */
  draw(segments: readonly TextSegment[], lanes: readonly (readonly CoverLine[])[]): void {
    const next: typeof this.drawn = new Map();
    const show = (layer: string, { start, end }: Offsets) => {
      const key = `${start}-${end}-${layer}`;
      const known = this.drawn.get(key);
      const range = known?.range ?? this.toStaticRange({ start, end });
      if (!range) return;
      next.set(key, { layer, range });
      if (!known) (this.layers.get(layer) ?? this.addLayer(layer, 0)).add(range);
    };
    for (const segment of segments) show(segment.color, segment);
    for (const [lane, lines] of lanes.entries()) {
      for (const line of lines) show(`under-${lane + 1}-${line.color}`, line);
    }
    for (const [key, { layer, range }] of this.drawn) {
      if (!next.has(key)) this.layers.get(layer)?.delete(range);
    }
    this.drawn = next;
  }

  /** Underlines the given passages, and nothing else in the same way. */
  emphasize(emphasis: Emphasis, passages: readonly Offsets[]): void {
    const layer = this.layers.get(emphasis);
    layer?.clear();
    for (const passage of passages) {
      const range = this.toStaticRange(passage);
      if (range) layer?.add(range);
    }
  }

  /** Takes everything off the page. */
  destroy(): void {
    for (const [name, layer] of this.layers) {
      if (CSS.highlights.get(`nexus-${name}`) === layer) CSS.highlights.delete(`nexus-${name}`);
    }
  }

  private toStaticRange(passage: Offsets): StaticRange | null {
    const range = this.toRange(passage);
    return range && new StaticRange(range);
  }
}
