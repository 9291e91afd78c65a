import { useEffect } from "react";
import type { Passage } from "./paths";

/** A text that is open in the reader, and how to show a passage of it. */
interface OpenText {
  mediaId: string;
  show: (passage: Passage) => void;
}

let open: OpenText | null = null;

/** Makes an open text known to what leads to passages, for as long as it is shown. */
export function useOpenText(text: OpenText | null): void {
  useEffect(() => {
    open = text;
    return () => {
      if (open === text) open = null;
    };
  }, [text]);
}

/** Shows a passage if its text is the one that is open. It is then a step inside that view. */
export function showInOpenText(mediaId: string, passage: Passage): boolean {
  if (open?.mediaId !== mediaId) return false;
  open.show(passage);
  return true;
}
