import { useCallback, useEffect, useState } from "react";
import type { Offsets } from "../../../canonical";
import type { ReadingText } from "../text/readingText";
import { type Found, findAll } from "./findAll";
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
    const timer = setTimeout(() => {
      let arrived = -1;
      const onFound = (next: Found) => {
        if (stop.signal.aborted) return;
        if (arrived < 0) {
          arrived = firstFrom(next, from());
          const hit = next.hits[arrived];
          if (hit) onArrive(hit);
        }
        setState({ found: next, at: arrived });
      };
      void findAll(text.canonical, pattern, { signal: stop.signal, onFound });
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
