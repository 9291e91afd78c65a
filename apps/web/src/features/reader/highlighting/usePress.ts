import { useCallback, useEffect, useRef } from "react";

/**
 * A press on a stack goes to its newest highlight, and each further press to the next one. Where
 * the cards would cover the text, the list comes first.
 */
export function usePress(
  activeId: string | null,
  wide: boolean,
  activate: (id: string | null, how?: { focus?: boolean }) => void,
) {
  const latest = useRef({ activeId, wide, activate });
  useEffect(() => {
    latest.current = { activeId, wide, activate };
  });
  return useCallback((ids: readonly string[]) => {
    const { activeId: current, wide: beside, activate: go } = latest.current;
    if (!beside && ids.length > 1) return;
    const at = current ? ids.indexOf(current) : -1;
    const next = ids[(at + 1) % ids.length];
    go(next ?? null, { focus: next !== undefined });
  }, []);
}
