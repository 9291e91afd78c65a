import { type CanonicalMap, offsetsToSegments } from "../../../canonical";
import { blockAt, startOf } from "../text/blocks";
import { type InsideTarget, targetOf } from "./insideLink";

/** Footnotes and endnotes: which links refer to one, and what it says. */

const LONGEST_LABEL = 12;
const LABEL = String.raw`(?:\d{1,4}|\p{L}{1,3}|[*∗†‡§¶‖#]{1,4}|[⁰¹²³⁴-⁹]{1,4})`;
const PLAIN = new RegExp(`^${LABEL}$`, "u");
const BRACKETED = new RegExp(`^\\[\\s*(?:\\p{L}+\\.?\\s*)?${LABEL}\\s*\\]$`, "u");
const NAMED = /^(?:foot|end)?note\s*\d{1,4}$|^(?:fn|n)\.?\s*\d{1,4}$/iu;
const SYMBOL = /^[*∗†‡§¶‖]{1,4}$|^[⁰¹²³⁴-⁹]{1,4}$/u;
const NUMBER = /^\(?\d{1,4}\)?$/;
const BACK = /^(?:[\s^↑↩↵⤴⏎⬆▲]|\uFE0E|\uFE0F)+$/u;
/** What a jump should show in its own place. */
const NO_NOTE = "h1, h2, h3, h4, h5, h6, th, caption, figcaption, pre, summary";

/** A note that can be shown where it is referred to. */
export interface Note {
  /** As it is referred to, without brackets: "12", "*". */
  readonly label: string;
  readonly content: DocumentFragment;
}

/** The references of a text, and what the notes say that they lead to. */
export interface NoteLinks {
  readonly references: ReadonlySet<HTMLAnchorElement>;
  noteOf(reference: HTMLAnchorElement): Note | null | Promise<Note | null>;
}

/** The notes of a text that is one fragment of its document. */
export function noteLinks(map: CanonicalMap, fragment = 0) {
  const references = noteReferences(map, fragment);
  return {
    references,
    noteOf: (reference: HTMLAnchorElement) => noteOf(map, reference, references),
  };
}

/** The links of a text that refer to a note further down. */
export function noteReferences(map: CanonicalMap, fragment = 0): Set<HTMLAnchorElement> {
  const links = map.root.querySelectorAll<HTMLAnchorElement>('a[href^="#offset-"]');
  return new Set([...links].filter((link) => refersToNote(map, link, fragment)));
}

function refersToNote(map: CanonicalMap, link: HTMLAnchorElement, fragment: number): boolean {
  const target = targetOf(link);
  const text = link.textContent.trim();
  if (!target || text.length > LONGEST_LABEL) return false;
  // What is there is not known: the link itself must look like it.
  if (target.fragment !== fragment) return target.fragment > fragment && isMark(link, text);
  const { offset } = target;
  if (offset <= startOf(map, link)) return false;
  const block = blockAt(map, offset);
  if (!block || block.matches(NO_NOTE) || block.contains(link)) return false;
  if (isMark(link, text)) return true;
  return NUMBER.test(text) && (startsWith(block, text) || leadsBack(block, target));
}

/** Whether a link looks like the mark of a note, wherever it leads. */
function isMark(link: HTMLAnchorElement, text: string): boolean {
  if (SYMBOL.test(text) || NAMED.test(text) || BRACKETED.test(text)) return true;
  const raised = link.closest("sup") ?? link.querySelector("sup");
  return PLAIN.test(text) && (raised !== null || isBetween(link, "[", "]"));
}

/** Whether brackets stand around a link rather than in it. */
function isBetween(link: Element, before: string, after: string): boolean {
  const [left, right] = [link.previousSibling, link.nextSibling];
  return !!left?.textContent?.endsWith(before) && !!right?.textContent?.startsWith(after);
}

/** Whether a block has the number of the link in front, as a note has and a table has not. */
function startsWith(block: Element, text: string): boolean {
  const number = text.replace(/\D/g, "");
  return new RegExp(`^\\s*[[(]?${number}(?!\\d)`).test(block.textContent);
}

function leadsBack(block: Element, note: InsideTarget): boolean {
  return [...block.querySelectorAll("a")].some((link) => isBackLink(link, note));
}

/** A link from a note to where it is referred to: "↩", "^", or its number or letter. */
function isBackLink(link: Element, note: InsideTarget): boolean {
  const target = targetOf(link);
  if (!target || target.fragment > note.fragment) return false;
  if (target.fragment === note.fragment && target.offset >= note.offset) return false;
  const text = link.textContent.trim();
  return BACK.test(text) || PLAIN.test(text) || BRACKETED.test(text) || text === "";
}

/** What the note of a reference says, from the text on the page; null when that is nothing. */
export function noteOf(
  map: CanonicalMap,
  link: HTMLAnchorElement,
  references: ReadonlySet<HTMLAnchorElement>,
): Note | null {
  const target = targetOf(link);
  if (!target || blockAt(map, target.offset)?.matches(NO_NOTE)) return null;
  const content = rangeOf(map, target, references)?.cloneContents();
  if (!content) return null;
  removeBackLinks(content, target);
  if (content.textContent?.trim() === "" && !content.querySelector("img, math")) return null;
  return { label: link.textContent.replace(/[[\]()\s]+/g, " ").trim(), content };
}

/** The text of a note: the block it begins, up to where the next note begins. */
function rangeOf(
  map: CanonicalMap,
  { fragment, offset }: InsideTarget,
  references: ReadonlySet<HTMLAnchorElement>,
): Range | null {
  const [first] = offsetsToSegments(map, { start: offset, end: offset + 3 });
  const block = blockAt(map, offset);
  if (!first || !block) return null;
  const range = document.createRange();
  const last = lastPartOf(map, block);
  range.setStart(first.node, first.start);
  range.setEnd(last, last.childNodes.length);
  const others = [...references]
    .map(targetOf)
    .filter((one) => one?.fragment === fragment && one.offset > offset);
  const next = Math.min(...others.map((one) => one?.offset ?? 0));
  const [after] = Number.isFinite(next)
    ? offsetsToSegments(map, { start: next, end: next + 3 })
    : [];
  if (after && range.isPointInRange(after.node, after.start)) range.setEnd(after.node, after.start);
  return range;
}

/** Where a note that begins with a block ends: its item, its row, or the words after its term. */
function lastPartOf(map: CanonicalMap, block: HTMLElement): HTMLElement {
  const start = startOf(map, block);
  let whole = block;
  for (let outer = whole.parentElement; outer && outer !== map.root; outer = outer.parentElement) {
    if (outer.matches("li, dd, tr") && startOf(map, outer) === start) whole = outer;
  }
  if (!whole.matches("dt")) return whole;
  const meaning = whole.nextElementSibling;
  return meaning instanceof HTMLElement && meaning.matches("dd") ? meaning : whole;
}

/** Ways back to the reference are of no use at the reference. */
function removeBackLinks(content: DocumentFragment, note: InsideTarget): void {
  let removed = false;
  for (const link of content.querySelectorAll("a")) {
    if (!isBackLink(link, note)) continue;
    removeWithBrackets(outermost(link));
    removed = true;
  }
  for (const box of content.querySelectorAll("p, td, dt")) {
    if (box.textContent.trim() === "" && !box.querySelector("img, math")) box.remove();
  }
  trimStart(content, removed);
}

/** The element that holds nothing but the link. */
function outermost(link: Element): Element {
  let whole = link;
  while (whole.parentElement?.matches("sup, sub, b, i, em, strong, span, small")) {
    if (whole.parentElement.textContent.trim() !== link.textContent.trim()) break;
    whole = whole.parentElement;
  }
  return whole;
}

function removeWithBrackets(element: Element): void {
  const { previousSibling: before, nextSibling: after } = element;
  if (before instanceof Text && after instanceof Text) {
    const open = /[[(]\s*$/.exec(before.data);
    const close = /^\s*[\])]/.exec(after.data);
    if (open && close) {
      before.data = before.data.slice(0, open.index);
      after.data = after.data.slice(close[0].length);
    }
  }
  element.remove();
}

/** Takes off what stood between the links that are gone and the words. */
function trimStart(content: DocumentFragment, removed: boolean): void {
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    text.data = text.data.replace(removed ? /^[\s^↑.,:;|·]+/ : /^[\s^↑]+/, "");
    if (text.data !== "") return;
  }
}
