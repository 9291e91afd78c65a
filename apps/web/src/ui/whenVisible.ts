/** Runs something now, or once the tab is first looked at. Returns how to call that off. */
export function whenVisible(run: () => void): () => void {
  const waiting = new AbortController();
  const look = () => {
    if (document.visibilityState !== "visible") return;
    waiting.abort();
    run();
  };
  document.addEventListener("visibilitychange", look, { signal: waiting.signal });
  look();
  return () => waiting.abort();
}
