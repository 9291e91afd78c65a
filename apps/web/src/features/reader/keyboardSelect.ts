import type { Offsets } from "../../canonical";
import type { ReadingText } from "./text/readingText";
import { readSelection } from "./useSelectedPassage";

/** Just under the bar at the top of the page. */
const FIRST_LINE = 72;
const LOOK_AHEAD = 2_000;
const WORD = /[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}’'-]*/gu;

export type Step = "next-word" | "previous-word" | "next-paragraph" | "previous-paragraph";

/** Selects the first word on the screen, for those who select without a pointer. */
export function selectFirstWord(text: ReadingText): void {
  const unit = text.canonical.codePoints.toUnit(text.offsetBelow(FIRST_LINE) ?? 0);
  select(text, findWord(text.canonical.text, unit, "next-word"));
}

/** Moves the selection to another word; browsers then extend it with Shift and the arrows. */
export function stepSelection(text: ReadingText, step: Step): void {
  const selected = readSelection(text);
  if (!selected) return;
  const { start, end } = selected.passage;
  const from = text.canonical.codePoints.toUnit(step.startsWith("next") ? end : start);
  select(text, findWord(text.canonical.text, from, step));
}

/** The UTF-16 edges of the word a step leads to; pure. */
export function findWord(text: string, from: number, step: Step): Offsets | null {
  if (step === "next-word") return wordAfter(text, from);
  if (step === "previous-word") return wordBefore(text, from);
  if (step === "next-paragraph") {
    const end = text.indexOf("\n", from);
    return end < 0 ? null : wordAfter(text, end);
  }
  // To the start of this paragraph first, then to that of the one before.
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const here = wordAfter(text, start);
  if (here && here.start < from) return here;
  const end = text.slice(0, start).trimEnd().length;
  return end === 0 ? null : wordAfter(text, text.lastIndexOf("\n", end - 1) + 1);
}

function wordAfter(text: string, from: number): Offsets | null {
  const found = WORD[Symbol.matchAll](text.slice(from, from + LOOK_AHEAD)).next().value;
  if (!found) return null;
  const start = from + found.index;
  return { start, end: start + found[0].length };
}

function wordBefore(text: string, from: number): Offsets | null {
  const first = Math.max(0, from - LOOK_AHEAD);
  const found = [...text.slice(first, from).matchAll(WORD)].at(-1);
  if (!found) return null;
  const start = first + found.index;
  return { start, end: start + found[0].length };
}

function select(text: ReadingText, word: Offsets | null): void {
  if (!word) return;
  const { codePoints } = text.canonical;
  const passage = { start: codePoints.toOffset(word.start), end: codePoints.toOffset(word.end) };
  const range = text.rangeOf(passage);
  if (!range) return;
  text.root.focus({ preventScroll: true });
  const { startContainer, startOffset, endContainer, endOffset } = range;
  document.getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
  range.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
}
