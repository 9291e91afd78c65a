/**
 * Canonical text in the browser: the twin of the server's `html/canonicalize.py`, on live DOM
 * nodes. `canonical/cases.json` at the root of the repository binds the two.
 */

import { clustersOf, isWhitespace, needsNormalizing } from "./characters";
import { CodePointIndex, codePointLength, isHighSurrogate, unitsAt } from "./codepoints";
import { type Pieces, PiecesBuilder } from "./pieces";

export interface CanonicalMap {
  readonly root: Element;
  readonly text: string;
  /** Offsets into `text` in code points. */
  readonly codePoints: CodePointIndex;
  /** The text nodes in document order, and the code points [start, end) each gave. */
  readonly nodes: readonly Text[];
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** 1 for a node inside `pre` or `code`. */
  readonly inCode: Uint8Array;
  readonly pieces: Pieces;
}

const BLOCKS =
  "p li ul ol h1 h2 h3 h4 h5 h6 blockquote pre div section article header footer nav aside" +
  " table thead tbody tr th td hr figure figcaption dl dt dd caption tfoot details summary";
/** In formulas, a space stands around and between the parts of these. */
const SPACED_ELEMENTS = "mfrac mroot munder munderover mtable mtr";
const ARIA_TRUE = /^[ \t\n\f\r]*true[ \t\n\f\r]*$/i;

const SPACE = 0x20;

const BLOCK = 1;
const CODE = 2;
const BREAK = 4;
const LEFT_OUT = 8;
const SPACED = 16;
/** What an element means, by its name; one lookup for each, because there are many. */
const KINDS = new Map<string, number>([
  ...BLOCKS.split(" ").map((name): [string, number] => [name, BLOCK]),
  ...SPACED_ELEMENTS.split(" ").map((name): [string, number] => [name, SPACED]),
  ["pre", BLOCK | CODE],
  ["code", CODE],
  ["br", BREAK],
  ["script", LEFT_OUT],
  ["style", LEFT_OUT],
  ["mphantom", LEFT_OUT],
]);

/** Where a space not written yet came from, if not from a text node. */
const NOBODY = -1;
const FORMULA = -2;

/** Read the text under `root` and note where each of its text nodes went. */
export function canonicalize(root: Element): CanonicalMap {
  const builder = new Builder();
  /** Kinds of the open elements, innermost last. */
  const open: number[] = [];
  let codeDepth = 0;
  let parent: Node = root;
  let node = root.firstChild;
  while (node !== null || open.length > 0) {
    if (node === null) {
      const kind = open.pop() ?? 0;
      if (kind & BLOCK) builder.lineBreak();
      if (kind & SPACED) builder.gap();
      if (kind & CODE) codeDepth -= 1;
      node = parent.nextSibling;
      parent = parent.parentNode ?? root;
      continue;
    }
    if (node.nodeType === Node.TEXT_NODE) {
      builder.textNode(node as Text, codeDepth > 0);
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      const kind = kindOf(node as Element);
      if (kind & (BLOCK | BREAK)) builder.lineBreak();
      if (!(kind & (BREAK | LEFT_OUT))) {
        if ((open[open.length - 1] ?? 0) & SPACED) builder.gap();
        if (kind & CODE) codeDepth += 1;
        open.push(kind);
        parent = node;
        node = node.firstChild;
        continue;
      }
    }
    node = node.nextSibling;
  }
  return builder.build(root);
}

function kindOf(element: Element): number {
  if (element.hasAttributes()) {
    const isHidden =
      element.hasAttribute("hidden") || ARIA_TRUE.test(element.getAttribute("aria-hidden") ?? "");
    if (isHidden) return LEFT_OUT;
  }
  return KINDS.get(element.localName) ?? 0;
}

/** Joins text nodes and newlines; a space or newline is written once something follows it. */
class Builder {
  private readonly parts: string[] = [];
  private readonly pieces = new PiecesBuilder();
  private readonly nodes: Text[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly inCode: number[] = [];
  private length = 0;
  private newlines = 0;
  /** Where a space not written yet came from. */
  private spaceNode = NOBODY;
  private spaceUnit = 0;

  lineBreak(): void {
    this.newlines += 1;
    this.spaceNode = NOBODY;
  }

  /** A space that belongs to no node. */
  gap(): void {
    this.noteSpace(FORMULA, 0);
  }

  textNode(node: Text, inCode: boolean): void {
    const index = this.nodes.length;
    this.nodes.push(node);
    this.starts.push(-1);
    this.ends.push(-1);
    this.inCode.push(inCode ? 1 : 0);
    const data = node.data;
    if (needsNormalizing(data)) this.addClusters(index, data);
    else this.addStretches(index, data);
  }

  private addStretches(index: number, data: string): void {
    let unit = 0;
    while (unit < data.length) {
      const code = data.charCodeAt(unit);
      if (isWhitespace(code)) {
        this.noteSpace(index, unit);
        unit += 1;
      } else {
        const end = isHighSurrogate(code) ? unit + unitsAt(data, unit) : stretchEnd(data, unit);
        const isPair = isHighSurrogate(code) && end - unit === 2;
        this.writeSeparator();
        this.give(index, unit, end - unit, data.slice(unit, end), isPair ? 1 : end - unit);
        unit = end;
      }
    }
  }

  /** For text not in NFC, which the sanitizer never leaves: whole clusters stand for each other. */
  private addClusters(index: number, data: string): void {
    for (const { 0: cluster, index: unit } of clustersOf(data)) {
      if (isWhitespace(cluster.charCodeAt(0))) {
        this.noteSpace(index, unit);
      } else {
        const normal = cluster.normalize("NFC");
        this.writeSeparator();
        this.give(index, unit, cluster.length, normal, codePointLength(normal));
      }
    }
  }

  private noteSpace(node: number, unit: number): void {
    if (this.spaceNode !== NOBODY || this.newlines > 0 || this.length === 0) return;
    this.spaceNode = node;
    this.spaceUnit = unit;
  }

  private writeSeparator(): void {
    if (this.newlines > 0 && this.length > 0) {
      const breaks = this.newlines === 1 ? "\n" : "\n\n";
      this.parts.push(breaks);
      this.length += breaks.length;
    } else if (this.spaceNode === FORMULA) {
      this.parts.push(" ");
      this.length += 1;
    } else if (this.spaceNode !== NOBODY) {
      this.give(this.spaceNode, this.spaceUnit, 1, " ", 1);
    }
    this.newlines = 0;
    this.spaceNode = NOBODY;
  }

  private give(node: number, unit: number, units: number, text: string, length: number): void {
    this.parts.push(text);
    this.pieces.add(node, unit, units, this.length, length);
    if (this.starts[node] === -1) this.starts[node] = this.length;
    this.length += length;
    this.ends[node] = this.length;
  }

  build(root: Element): CanonicalMap {
    const starts = Int32Array.from(this.starts);
    const ends = Int32Array.from(this.ends);
    let lastEnd = 0;
    for (let index = 0; index < starts.length; index += 1) {
      if (starts[index] === -1) {
        starts[index] = lastEnd;
        ends[index] = lastEnd;
      }
      lastEnd = ends[index] ?? lastEnd;
    }
    const text = this.parts.join("");
    return {
      root,
      text,
      codePoints: new CodePointIndex(text),
      nodes: this.nodes,
      starts,
      ends,
      inCode: Uint8Array.from(this.inCode),
      pieces: this.pieces.build(),
    };
  }
}

/**
 * The end of a stretch without surrogate pairs that begins at `unit`: words with single spaces
 * between them, which go into the canonical text as they are.
 */
function stretchEnd(data: string, unit: number): number {
  let end = unit + 1;
  while (end < data.length) {
    const code = data.charCodeAt(end);
    if (isHighSurrogate(code)) break;
    if (isWhitespace(code)) {
      const next = end + 1 < data.length ? data.charCodeAt(end + 1) : SPACE;
      if (code !== SPACE || isWhitespace(next) || isHighSurrogate(next)) break;
    }
    end += 1;
  }
  return end;
}
