import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

// As many rows as some tens of pages take; more would be printed by accident only.
const MAX_PRINTED = 1_000;

/** While the page is printed, how many rows to print; 0 otherwise. */
export function usePrinting(): number {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // The browser takes what is drawn when these return.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, []);
  return printing ? MAX_PRINTED : 0;
}
