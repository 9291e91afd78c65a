import type { InsideTarget } from "../links/insideLink";

/** A place in the document as the server knows it: an offset in the text of one fragment. */
export interface FragmentPlace {
  readonly fragmentId: string;
  readonly offset: number;
}

/**
 * Where the offsets of a text that is read lie in the document: all in one fragment, or one after
 * the other in many. Only what talks to the server needs to know.
 */
export interface TextSpace {
  /** The fragment that is all of the text; null where there are several. */
  readonly only: string | null;
  placeOf(offset: number): FragmentPlace | null;
  /** Null for a place that is not in this text. */
  offsetOf(place: FragmentPlace): number | null;
  /** Where a link inside the document leads to. */
  offsetOfLink(target: InsideTarget): number | null;
}

/** A text that is one fragment: offsets are what they are. */
export function oneFragment({ id, idx }: { id: string; idx: number }): TextSpace {
  return {
    only: id,
    placeOf: (offset) => ({ fragmentId: id, offset }),
    offsetOf: ({ fragmentId, offset }) => (fragmentId === id ? offset : null),
    offsetOfLink: ({ fragment, offset }) => (fragment === idx ? offset : null),
  };
}
