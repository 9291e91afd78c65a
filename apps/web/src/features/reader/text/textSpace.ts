import { codePointLength, type Offsets } from "../../../canonical";
import type { Passage } from "../../../shared/paths";
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
  /** How long the whole text is. */
  readonly length: number;
  placeOf(offset: number): FragmentPlace | null;
  /** Null for a place that is not in this text. */
  offsetOf(place: FragmentPlace): number | null;
  /** Where a link inside the document leads to. */
  offsetOfLink(target: InsideTarget): number | null;
}

/** A fragment of which at least the length is known, or the text. */
export type OnlyFragment = { readonly id: string; readonly idx: number } & (
  | { readonly length: number }
  | { readonly canonical_text: string }
);

/** A text that is one fragment: offsets are what they are. */
export function oneFragment(fragment: OnlyFragment): TextSpace {
  const { id, idx } = fragment;
  const length = "length" in fragment ? fragment.length : codePointLength(fragment.canonical_text);
  return {
    only: id,
    length,
    placeOf: (offset) => ({ fragmentId: id, offset }),
    offsetOf: ({ fragmentId, offset }) => (fragmentId === id ? Math.min(offset, length) : null),
    offsetOfLink: ({ fragment, offset }) => (fragment === idx ? offset : null),
  };
}

/** Where a passage is in this text; null when there is no such passage in it. */
export function offsetsOfPassage(space: TextSpace, { fragmentId, ...at }: Passage): Offsets | null {
  const start = space.offsetOf({ fragmentId, offset: at.start });
  const end = space.offsetOf({ fragmentId, offset: at.end });
  return start !== null && end !== null && start < end ? { start, end } : null;
}
