/** The highlight an address like `/read/…#h=ID` leads to. */
export function linkedHighlight(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get("h") || null;
}

/** Names a highlight in the address, or none, without a step in the history. */
export function showLink(id: string | null): void {
  const { pathname, search, hash } = window.location;
  const next = id ? `#h=${id}` : "";
  if (hash !== next)
    window.history.replaceState(window.history.state, "", pathname + search + next);
}
