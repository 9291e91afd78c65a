import type { Offsets } from "../../../canonical";
import { revealPassage } from "../reveal";
import type { ArticleText } from "../text/articleText";
import { blockAt, startOf, textNodeAt } from "./insideLink";

const MARKED_MS = 2_500;
const LONGEST_MARK = 600;
const ONE_LINE = 80;

/** Shows a place of the text, marks it and gives it focus. Returns whether it had to scroll. */
export function land(text: ArticleText, offset: number): boolean {
  const passage = passageFrom(text, offset);
  const moved = revealPassage(text, passage, false);
  mark(text, passage);
  const node = textNodeAt(text.map, offset);
  // Back at the reference of a note, it can be opened again; other links are part of their block.
  const link = node?.parentElement?.closest<HTMLElement>("a[aria-haspopup]");
  focusOn(link ?? blockAt(text.map, offset) ?? text.root);
  return moved;
}

let marking: ReturnType<typeof setTimeout> | undefined;

function mark(text: ArticleText, passage: Offsets): void {
  clearTimeout(marking);
  text.emphasize("target", [passage]);
  marking = setTimeout(() => text.emphasize("target", []), MARKED_MS);
}

/** From an offset to the end of its block; of code, about a line. */
export function passageFrom(text: ArticleText, offset: number): Offsets {
  const { map } = text;
  const start = Math.max(0, Math.min(offset, map.codePoints.length - 1));
  const block = blockAt(map, start);
  const end = block ? startOf(map, block) + block.textContent.length : start + 1;
  const longest = block?.matches("pre") ? ONE_LINE : LONGEST_MARK;
  return { start, end: Math.max(start + 3, Math.min(end, start + longest)) };
}

/** Gives focus to something that cannot be acted on, for as long as it has it. */
function focusOn(element: HTMLElement): void {
  if (!element.matches("a, [tabindex]")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
