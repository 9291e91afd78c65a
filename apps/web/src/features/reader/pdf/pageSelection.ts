/**
 * Keeps a selection from running away. The pieces of text on a page have nothing between them; a
 * pointer that leaves them would select all up to the end of the page. So, while one selects, an
 * element that fills the page stands right behind the piece where the selection ends.
 */
export function steadySelection(root: HTMLElement): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let before: Range | null = null;
  let held = false;
  const release = () => {
    for (const layer of layersIn(root)) letGo(layer);
    before = null;
  };
  document.addEventListener("pointerdown", () => (held = true), { signal });
  const onUp = () => {
    held = false;
    release();
  };
  document.addEventListener("pointerup", onUp, { signal });
  document.addEventListener("pointercancel", onUp, { signal });
  window.addEventListener("blur", onUp, { signal });
  const onSelect = () => {
    const selection = document.getSelection();
    if (!held || !selection || selection.isCollapsed) return release();
    const range = selection.getRangeAt(0);
    for (const layer of layersIn(root)) {
      if (range.intersectsNode(layer)) layer.dataset.selecting = "";
      else letGo(layer);
    }
    follow(range, before);
    before = range.cloneRange();
  };
  document.addEventListener("selectionchange", onSelect, { signal });
  return () => {
    stop.abort();
    release();
  };
}

function layersIn(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(".pdf-text")];
}

function letGo(layer: HTMLElement): void {
  delete layer.dataset.selecting;
  const end = layer.querySelector<HTMLElement>(".pdf-text-end");
  if (end && layer.lastChild !== end) layer.append(end);
}

/** Puts the end of the page beside the edge of the selection that moves. */
function follow(range: Range, before: Range | null): void {
  const movesStart =
    before !== null &&
    (range.compareBoundaryPoints(Range.END_TO_END, before) === 0 ||
      range.compareBoundaryPoints(Range.START_TO_END, before) === 0);
  const node = movesStart ? range.startContainer : range.endContainer;
  const piece = (node instanceof Element ? node : node.parentElement)?.closest(".pdf-text > span");
  const end = piece?.parentElement?.querySelector(".pdf-text-end");
  if (!piece || !end) return;
  if (movesStart) piece.before(end);
  else piece.after(end);
}
