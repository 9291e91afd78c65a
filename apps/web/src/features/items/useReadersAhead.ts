import { useEffect, useMemo } from "react";
import type { Media } from "../../api/types";
import { kindOf } from "../../shared/kinds";
import { loadAhead } from "../../shared/useLoaded";

/** Not every browser says when it has nothing to do. */
const QUIET_MS = 200;

/** Loads what the items of a list are opened with, once there is nothing else to do. */
export function useReadersAhead(items: readonly (Media | null)[]): void {
  const kinds = useMemo(() => kindsIn(items), [items]);
  useEffect(() => {
    const load = () => {
      for (const part of kinds.split(" ").flatMap((kind) => kindOf(kind).ahead ?? [])) {
        void loadAhead(part);
      }
    };
    const timer = setTimeout(load, QUIET_MS);
    return () => clearTimeout(timer);
  }, [kinds]);
}

function kindsIn(items: readonly (Media | null)[]): string {
  return [...new Set(items.flatMap((item) => item?.kind ?? []))].sort().join(" ");
}
