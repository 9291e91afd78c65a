import type { Offsets } from "../../../canonical";
import { revealPassage } from "../reveal";
import type { ReadingText } from "../text/readingText";

const MARKED_MS = 2_500;

/** Shows a place of the text, marks it and gives it focus. Returns whether it had to scroll. */
export function land(text: ReadingText, offset: number): boolean {
  const { passage, element, top } = text.landingAt(offset);
  const moved = revealPassage(text, passage, false, top);
  mark(text, passage);
  focusOn(element);
  return moved;
}

let marking: ReturnType<typeof setTimeout> | undefined;

function mark(text: ReadingText, passage: Offsets): void {
  clearTimeout(marking);
  text.emphasize("target", [passage]);
  marking = setTimeout(() => text.emphasize("target", []), MARKED_MS);
}

/** Gives focus to something that cannot be acted on, for as long as it has it. */
function focusOn(element: HTMLElement): void {
  if (!element.matches("a, [tabindex]")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
