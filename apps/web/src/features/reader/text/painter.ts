import { type CanonicalMap, type Offsets, offsetsToRange } from "../../../reader/canonical";
import { COLORS } from "../colors";
import type { TextSegment } from "./segments";

/** Whether the browser can draw highlights without changing the page. */
export function canDraw(): boolean {
  return typeof Highlight === "function" && typeof CSS !== "undefined" && "highlights" in CSS;
}

export type Emphasis = "active" | "hover";

const EMPHASES: readonly Emphasis[] = ["hover", "active"];

/**
 * Draws segments with the CSS Custom Highlight API: the article's nodes and the selection stay
 * as they are. Only what changed since the last drawing is drawn anew.
 */
export class HighlightPainter {
  private readonly layers = new Map<string, Highlight>();
  private drawn = new Map<string, { color: string; range: StaticRange }>();

  constructor(private readonly map: CanonicalMap) {
    for (const color of COLORS) this.addLayer(color, 0);
    for (const [order, emphasis] of EMPHASES.entries()) this.addLayer(emphasis, order + 1);
  }

  private addLayer(name: string, priority: number): void {
    const layer = new Highlight();
    layer.priority = priority;
    this.layers.set(name, layer);
    CSS.highlights.set(`nexus-${name}`, layer);
  }

  /** Shows exactly these segments. */
  draw(segments: readonly TextSegment[]): void {
    const next: typeof this.drawn = new Map();
    for (const { start, end, color } of segments) {
      const key = `${start}-${end}-${color}`;
      const known = this.drawn.get(key);
      const range = known?.range ?? toStaticRange(this.map, { start, end });
      if (!range) continue;
      next.set(key, { color, range });
      if (!known) this.layers.get(color)?.add(range);
    }
    for (const [key, { color, range }] of this.drawn) {
      if (!next.has(key)) this.layers.get(color)?.delete(range);
    }
    this.drawn = next;
  }

  /** Underlines the given passages, and nothing else in the same way. */
  emphasize(emphasis: Emphasis, passages: readonly Offsets[]): void {
    const layer = this.layers.get(emphasis);
    layer?.clear();
    for (const passage of passages) {
      const range = toStaticRange(this.map, passage);
      if (range) layer?.add(range);
    }
  }

  /** Takes everything off the page. */
  destroy(): void {
    for (const [name, layer] of this.layers) {
      if (CSS.highlights.get(`nexus-${name}`) === layer) CSS.highlights.delete(`nexus-${name}`);
    }
  }
}

function toStaticRange(map: CanonicalMap, offsets: Offsets): StaticRange | null {
  const range = offsetsToRange(map, offsets);
  return range && new StaticRange(range);
}
