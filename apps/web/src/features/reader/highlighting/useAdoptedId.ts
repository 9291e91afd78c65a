import { type Dispatch, type SetStateAction, useEffect } from "react";
import type { HighlightActions } from "../data/highlightActions";

/** Goes on with the same highlight when it turns out to be another device's, with another id. */
export function useAdoptedId(
  actions: HighlightActions,
  setId: Dispatch<SetStateAction<string | null>>,
): void {
  useEffect(
    () => actions.onAdopt((id, adoptedId) => setId((old) => (old === id ? adoptedId : old))),
    [actions, setId],
  );
}
