import { useCallback, useEffect, useState } from "react";
import type { Offsets } from "../../../canonical";
import { showToast } from "../../../ui/toasts";
import type { ReadingText } from "../text/readingText";
import type { Found } from "./findAll";
import { findInPieces } from "./findInPieces";
import { findPattern } from "./findPattern";

const DEBOUNCE_MS = 120;

interface Hits {
  readonly found: Found | null;
  /** The index of the hit one is at; -1 for none. */
  readonly at: number;
  step: (direction: 1 | -1) => void;
}

const NOTHING: { found: Found | null; at: number } = { found: null, at: -1 };

/** What a query finds in the text, beginning with what comes after an offset. */
export function useHits(
  text: ReadingText | null,
  query: string,
  from: () => number,
  onArrive: (hit: Offsets) => void,
): Hits {
  const [{ found, at }, setState] = useState(NOTHING);

  useEffect(() => {
    const pattern = text && findPattern(query);
    if (!text || !pattern) {
      setState(NOTHING);
      return;
    }
    const stop = new AbortController();
    const { signal } = stop;
    const timer = setTimeout(() => {
      const begun = from();
      let arrived = false;
      const onFound = (next: Found) => {
        if (signal.aborted) return;
        const first = arrived ? -1 : firstFrom(next, begun);
        const hit = next.hits[first];
        arrived ||= hit !== undefined;
        setState((old) => ({ found: next, at: hit ? first : sameIn(next, old) }));
        if (hit) onArrive(hit);
      };
      setState(NOTHING);
      findInPieces(text.pieces(begun, signal), pattern, { signal, onFound }).catch(() => {
        if (!signal.aborted) showToast("Not all of the text could be searched.", "error");
      });
    }, DEBOUNCE_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [text, query, from, onArrive]);

  const step = useCallback(
    (direction: 1 | -1) => {
      const count = found?.hits.length ?? 0;
      if (count === 0) return;
      const next = at < 0 ? 0 : (at + direction + count) % count;
      const hit = found?.hits[next];
      setState({ found, at: next });
      if (hit) onArrive(hit);
    },
    [found, at, onArrive],
  );
  return { found, at, step };
}

/** The first hit at an offset or after it; the very first one when there is none. */
function firstFrom({ hits, done }: Found, offset: number): number {
  const next = hits.findIndex(({ start }) => start >= offset);
  return next < 0 && done && hits.length > 0 ? 0 : next;
}

/** The hit one is at, among more hits than before. */
function sameIn({ hits }: Found, { found, at }: typeof NOTHING): number {
  const here = found?.hits[at];
  return here ? hits.findIndex(({ start }) => start === here.start) : -1;
}
