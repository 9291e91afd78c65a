import type { CanonicalMap, Offsets } from "../../../canonical";

interface Block {
  readonly element: Element;
  readonly start: number;
  readonly end: number;
}

/** Blocks of more text nodes than this are looked at part by part. */
const LARGE_BLOCK = 100;

/** Knows which parts of a long text are on or near the screen. */
export class VisibleText {
  private readonly blocks: readonly Block[];
  private readonly near = new Set<Block>();
  private readonly observer: IntersectionObserver;

  constructor(map: CanonicalMap, onChange: () => void) {
    this.blocks = blocksOf(map);
    const byElement = new Map<Element, Block[]>();
    for (const block of this.blocks) {
      byElement.set(block.element, [...(byElement.get(block.element) ?? []), block]);
    }
    this.observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          for (const block of byElement.get(target) ?? []) {
            if (isIntersecting) this.near.add(block);
            else this.near.delete(block);
          }
        }
        onChange();
      },
      // One screen more on each side, so that scrolling finds the highlights drawn already.
      { rootMargin: "100% 0px" },
    );
    for (const element of byElement.keys()) this.observer.observe(element);
  }

  /** The visible passages in reading order, neighbours joined. */
  passages(): Offsets[] {
    const passages: { start: number; end: number }[] = [];
    for (const block of this.blocks) {
      if (!this.near.has(block)) continue;
      const last = passages.at(-1);
      // Between two blocks there are at most two newlines.
      if (last && block.start - last.end <= 2) last.end = block.end;
      else passages.push({ start: block.start, end: block.end });
    }
    return passages;
  }

  destroy(): void {
    this.observer.disconnect();
  }
}

function blocksOf(map: CanonicalMap): Block[] {
  const blocks: Block[] = [];
  const add = (from: number, to: number, container: Element) => {
    for (let first = from; first < to; ) {
      const child = childWith(map.nodes[first], container);
      let after = first + 1;
      while (after < to && child.contains(map.nodes[after] ?? null)) after += 1;
      if (after - first > LARGE_BLOCK && child instanceof Element) add(first, after, child);
      else {
        const element = child instanceof Element ? child : container;
        blocks.push({ element, start: map.starts[first] ?? 0, end: map.ends[after - 1] ?? 0 });
      }
      first = after;
    }
  };
  add(0, map.nodes.length, map.root);
  return blocks;
}

/** The child of `container` that is or holds the node. */
function childWith(node: Node | undefined, container: Element): Node {
  let child: Node = node ?? container;
  while (child.parentNode && child.parentNode !== container) child = child.parentNode;
  return child;
}

/** The parts of sorted, disjoint segments that lie in sorted, disjoint passages. */
export function clip<T extends Offsets>(segments: readonly T[], passages: readonly Offsets[]): T[] {
  const clipped: T[] = [];
  let at = 0;
  for (const segment of segments) {
    while (at < passages.length && (passages[at]?.end ?? 0) <= segment.start) at += 1;
    for (let i = at; i < passages.length; i += 1) {
      const passage = passages[i];
      if (!passage || passage.start >= segment.end) break;
      const start = Math.max(segment.start, passage.start);
      const end = Math.min(segment.end, passage.end);
      if (start < end) clipped.push({ ...segment, start, end });
    }
  }
  return clipped;
}
