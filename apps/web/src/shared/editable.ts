const NOT_TEXT = new Set([
  "button",
  "checkbox",
  "color",
  "file",
  "radio",
  "range",
  "reset",
  "submit",
]);

/** Does this element take what is typed or pasted? Then keys and pastes are its own. */
export function isEditable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TEXT.has(target.type);
  return /^(TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
}

/** Is a dialog open that has the page to itself? */
export function isDialogOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
