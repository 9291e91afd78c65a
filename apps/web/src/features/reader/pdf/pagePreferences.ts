import { useCallback, useState } from "react";
import { keep, readKept } from "../../../ui/localStore";
import type { View } from "../ViewSwitch";
import { MAX_ZOOM, MIN_ZOOM, type Zoom } from "./pageLayout";

export const PAPERS = ["themed", "printed"] as const;
/** Whether pages follow the dark theme, or stay as they are printed. */
export type Paper = (typeof PAPERS)[number];

export interface PagePreferences {
  readonly zoom: Zoom;
  readonly paper: Paper;
  readonly view: View;
}

/** How this person likes pages, on this device: a phone wants another size than a desk. */
export function usePagePreferences(userId: string) {
  const key = `nexus.pages.${userId}`;
  const [preferences, setPreferences] = useState(() => understood(readKept(key)));
  const choose = useCallback(
    (changes: Partial<PagePreferences>) =>
      setPreferences((old) => {
        const next = { ...old, ...changes };
        keep(key, next);
        return next;
      }),
    [key],
  );
  return [preferences, choose] as const;
}

function understood(kept: unknown): PagePreferences {
  const { zoom, paper, view } = (kept ?? {}) as Partial<Record<keyof PagePreferences, unknown>>;
  const fits = typeof zoom === "number" && zoom >= MIN_ZOOM && zoom <= MAX_ZOOM;
  return {
    zoom: fits || zoom === "page" ? zoom : "width",
    paper: paper === "printed" ? "printed" : "themed",
    view: view === "text" ? "text" : "pages",
  };
}
