/** What the layout of a PDF's text works with. Offsets and ranges are in code points. */

/** A piece of text as pdf.js has it, and the sizes of its fonts. */
export interface TextItem {
  str: string;
  dir: string;
  transform: number[];
  width: number;
  height: number;
  fontName: string;
  hasEOL: boolean;
}

export interface TextStyle {
  vertical?: boolean;
}

/** A piece of an item that went into the page's text, as the page rule has it. */
export interface Run {
  item: number;
  from: number;
  to: number;
  offset: number;
}

export interface Page {
  number: number;
  width: number;
  height: number;
  items: TextItem[];
  styles: Record<string, TextStyle>;
  text: string;
  runs: Run[];
}

export interface OutlineEntry {
  label: string;
  page: number;
  level: number;
}

/** Part of a page's text. */
export interface Range {
  page: number;
  start: number;
  end: number;
}

export interface Inline extends Range {
  kind: "small" | "sup";
}

export interface Block {
  tag: "p" | "small" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6";
  /** One for each page it is on. */
  parts: Range[];
  inline: Inline[];
  /** Hyphens that are there only because a line ends. */
  soft: Range[];
}

/**
 * A printed line. `along` is the direction of reading and `across` the one in which line follows
 * line, so that rotated, vertical and right-to-left text look alike.
 */
export interface Line {
  page: Page;
  start: number;
  end: number;
  text: string;
  /** No space separates it from the line before, so nothing may be put between the two. */
  joined: boolean;
  /** Lines can be compared only within a frame: same angle, same kind of writing. */
  frame: string;
  /** Where it begins and ends along the direction of reading. */
  from: number;
  to: number;
  /** The baseline. */
  across: number;
  size: number;
  font: string;
  /** Nearly all of it is in that font. */
  isPlain: boolean;
  /** How many pieces wide gaps divide it into. */
  cells: number;
  /** Raised small marks in it. */
  raised: Range[];
  /** A running head, a footer or a page number. */
  isFurniture: boolean;
  /** The entry of the outline that it belongs to. */
  entry: OutlineEntry | null;
}
