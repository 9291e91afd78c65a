import { useEffect } from "react";
import { createStore } from "../ui/store";

/** Who takes the files that are dropped on the window, in place of the library. */
export interface DropTaker {
  title: string;
  hint: string;
  onFiles: (files: File[]) => void;
}

const taker = createStore<DropTaker | null>(null);

/** The taker, for useSyncExternalStore; null while files are uploaded as usual. */
export const currentDropTaker = taker.get;
export const onDropTakerChange = taker.subscribe;

/** Takes dropped files for as long as the view is open. The taker must stay the same object. */
export function useDropTaker(wanted: DropTaker): void {
  useEffect(() => {
    taker.set(() => wanted);
    return () => taker.set((now) => (now === wanted ? null : now));
  }, [wanted]);
}
