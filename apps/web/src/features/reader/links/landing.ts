import type { Offsets } from "../../../canonical";
import { announce } from "../../../ui/announce";
import { revealPassage } from "../reveal";
import type { ReadingText } from "../text/readingText";
import { wordsAround } from "../text/wordsAround";

const MARKED_MS = 2_500;

/** Shows a place of the text, marks it and gives it focus. Returns whether it had to scroll. */
export function land(text: ReadingText, offset: number): boolean {
  const { passage, element, top } = text.landingAt(offset);
  const moved = revealPassage(text, passage, false, top);
  mark(text, passage);
  focusOn(element);
  return moved;
}

/** The same for a passage that was looked for; it alone is marked, and told to screen readers. */
export function landOn(text: ReadingText, passage: Offsets): boolean {
  const { element } = text.landingAt(passage.start);
  const moved = revealPassage(text, passage, false);
  mark(text, passage, () => announce(`At the passage: ${wordsAround(text, passage)}`));
  focusOn(element);
  return moved;
}

let unmark: () => void = () => undefined;

/** Marks a passage for a moment, which begins once the passage is on the page. */
function mark(text: ReadingText, passage: Offsets, onShown?: () => void): void {
  unmark();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopListening = text.onChange(begin);
  unmark = () => {
    clearTimeout(timer);
    stopListening();
    text.emphasize("target", []);
  };
  text.emphasize("target", [passage]);
  begin();

  function begin(): void {
    if (timer !== undefined || !text.rangeOf(passage)) return;
    timer = setTimeout(unmark, MARKED_MS);
    onShown?.();
  }
}

/** Gives focus to something that cannot be acted on, for as long as it has it. */
function focusOn(element: HTMLElement): void {
  if (!element.matches("a, [tabindex]")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
