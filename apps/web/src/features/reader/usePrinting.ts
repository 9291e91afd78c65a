import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Whether the page is being put on paper, from before it is laid out for that. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(isPrinting);
  useEffect(() => onPrint((now) => flushSync(() => setPrinting(now))), []);
  return printing;
}

/** Whether the page is laid out for paper right now. */
export function isPrinting(): boolean {
  return window.matchMedia("print").matches;
}

/** Calls back when the page goes to paper and back; returns the function that stops it. */
export function onPrint(listener: (printing: boolean) => void): () => void {
  const start = () => listener(true);
  const end = () => listener(false);
  // A preview that is turned on by hand sends no events, but the media query knows.
  const paper = window.matchMedia("print");
  const follow = () => listener(paper.matches);
  window.addEventListener("beforeprint", start);
  window.addEventListener("afterprint", end);
  paper.addEventListener("change", follow);
  return () => {
    window.removeEventListener("beforeprint", start);
    window.removeEventListener("afterprint", end);
    paper.removeEventListener("change", follow);
  };
}
