import { type RefObject, useEffect, useRef } from "react";

/** Gives focus to the element once `away` is over, so that closing an editor does not lose it. */
export function useFocusBack<T extends HTMLElement>(away: boolean): RefObject<T | null> {
  const target = useRef<T>(null);
  const wasAway = useRef(false);
  useEffect(() => {
    if (wasAway.current && !away) target.current?.focus();
    wasAway.current = away;
  }, [away]);
  return target;
}
