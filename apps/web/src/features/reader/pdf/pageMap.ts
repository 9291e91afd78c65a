import type { Run } from "../../../../../../canonical/pdf/page-text.mjs";
import { type CanonicalMap, mapOfRuns, type NodeRun } from "../../../canonical";

/**
 * Where the text of a page is in its text layer. Null when the layer does not hold it: pdf.js gives
 * up on pages of very many pieces.
 */
export function pageMap(
  root: HTMLElement,
  spans: readonly HTMLElement[],
  { text, runs }: { text: string; runs: readonly Run[] },
): CanonicalMap | null {
  const nodes: Text[] = [];
  const places = new Map<number, number>();
  const found: NodeRun[] = [];
  for (const { item, from, to, offset } of runs) {
    const node = spans[item]?.firstChild;
    if (!(node instanceof Text)) return null;
    let index = places.get(item);
    if (index === undefined) {
      index = nodes.push(node) - 1;
      places.set(item, index);
    }
    found.push({ node: index, from, to, offset });
  }
  return mapOfRuns(root, text, nodes, found);
}
