const INPUTS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** Calls back as soon as the person may have moved the page. Returns how to stop listening. */
export function onceActed(listener: () => void): () => void {
  const stop = new AbortController();
  const act = () => {
    stop.abort();
    listener();
  };
  // Before anything that acts on it.
  const how = { capture: true, passive: true, signal: stop.signal };
  for (const input of INPUTS) window.addEventListener(input, act, how);
  return () => stop.abort();
}
