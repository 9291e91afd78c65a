export const MAIN_ID = "main";

/** Moves focus to the view, for when what had it is gone. */
export function focusMain(): void {
  document.getElementById(MAIN_ID)?.focus({ preventScroll: true });
}
