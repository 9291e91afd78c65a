import type { CanonicalMap } from "./canonicalize";
import { CodePointIndex, unitsAt } from "./codepoints";
import { PiecesBuilder } from "./pieces";

/** UTF-16 units [from, to) of a text node that went into the text, code point by code point. */
export interface NodeRun {
  /** Index of the node. */
  readonly node: number;
  readonly from: number;
  readonly to: number;
  /** Code points before it in the text. */
  readonly offset: number;
}

/** The combining marks that text begins with: they are one with what is before them. */
function marksAt(text: string): string {
  return /^\p{M}+/u.exec(text)?.[0] ?? "";
}

/**
 * The map of a text whose origin is known already; the runs are in the order of the nodes. Marks that
 * NFC has taken out of a character belong to it: a passage that ends between them is drawn with the
 * whole character, as there is less of it on no page.
 */
export function mapOfRuns(
  root: Element,
  text: string,
  nodes: readonly Text[],
  runs: readonly NodeRun[],
): CanonicalMap {
  const pieces = new PiecesBuilder();
  const codePoints = new CodePointIndex(text);
  const starts = new Int32Array(nodes.length).fill(-1);
  const ends = new Int32Array(nodes.length);
  for (const [index, { node, from, to, offset }] of runs.entries()) {
    const data = nodes[node]?.data ?? "";
    const next = runs[index + 1];
    const free = next?.node === node ? next.from : data.length;
    let at = offset;
    for (let unit = from; unit < to; ) {
      let units: number = unitsAt(data, unit);
      let length = 1;
      if (unit + units === to) {
        units += marksAt(data.slice(to, free)).length;
        const end = next?.offset ?? codePoints.length;
        if (units === 1) length += [...marksAt(codePoints.slice(at + 1, end))].length;
      }
      pieces.add(node, unit, units, at, length);
      unit += units;
      at += length;
    }
    if (starts[node] === -1) starts[node] = offset;
    ends[node] = at;
  }
  return {
    root,
    text,
    codePoints,
    nodes,
    starts,
    ends,
    inCode: new Uint8Array(nodes.length),
    pieces: pieces.build(),
  };
}
