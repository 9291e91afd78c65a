/** Whether the selection or the focus is in a part of the text, which then stays on the page. */
export function isHeld(element: HTMLElement): boolean {
  const selection = document.getSelection();
  if (element.contains(document.activeElement)) return true;
  if (!selection || selection.isCollapsed) return false;
  return element.contains(selection.anchorNode) || element.contains(selection.focusNode);
}
