import type { Offsets } from "../../canonical";
import type { ReadingText, TextPiece } from "./text/readingText";
import { readSelection } from "./useSelectedPassage";

/** Just under the bar at the top of the page. */
const FIRST_LINE = 72;
const LOOK_AHEAD = 2_000;
const WORD = /[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}’'-]*/gu;

export type Step = "next-word" | "previous-word" | "next-paragraph" | "previous-paragraph";

/** Selects the first word on the screen, for those who select without a pointer. */
export function selectFirstWord(text: ReadingText): void {
  const offset = text.offsetBelow(FIRST_LINE) ?? 0;
  selectFrom(text, offset, "next-word");
}

/** Moves the selection to another word; browsers then extend it with Shift and the arrows. */
export function stepSelection(text: ReadingText, step: Step): void {
  const selected = readSelection(text);
  if (!selected) return;
  const { start, end } = selected.passage;
  selectFrom(text, step.startsWith("next") ? end : start, step);
}

function selectFrom(text: ReadingText, offset: number, step: Step): void {
  const piece = text.pieceAt(offset);
  if (!piece) return;
  const unit = piece.codePoints.toUnit(offset - piece.start);
  const word = findWord(piece.text, unit, step);
  if (word) select(text, piece, word);
  else if (step.startsWith("next")) selectFirstOf(text, piece.start + piece.codePoints.length + 1);
}

/** Goes on in the next piece, if it is here. */
function selectFirstOf(text: ReadingText, offset: number): void {
  const next = text.pieceAt(offset);
  const word = next?.start === offset && findWord(next.text, 0, "next-word");
  if (word) select(text, next, word);
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

function select(text: ReadingText, { codePoints, start }: TextPiece, word: Offsets): void {
  const passage = {
    start: start + codePoints.toOffset(word.start),
    end: start + codePoints.toOffset(word.end),
  };
  const range = text.rangeOf(passage);
  if (!range) return;
  text.root.focus({ preventScroll: true });
  const { startContainer, startOffset, endContainer, endOffset } = range;
  document.getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
  range.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
}
