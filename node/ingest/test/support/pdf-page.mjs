/** Pages of a PDF as pdf.js gives them, made of lines, and what the layout makes of them. */

import { pageText } from "../../../../canonical/pdf/page-text.mjs";
import { layoutDocument } from "../../src/pdf/layout/index.mjs";

export const SIZE = 10;
export const LEADING = 12;
/** Every letter is half as wide as it is high. */
const WIDTH = 0.5;
/** How many letters fill a line of the columns here. */
const FULL = 40;

/**
 * An item as pdf.js has it; `turn` is the angle of its baseline.
 * @param {string} str
 * @param {Record<string, any>} options
 */
export function item(str, { x = 72, y = 700, size = SIZE, font = "body", turn = 0, ...rest } = {}) {
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  return {
    str,
    dir: "ltr",
    transform: [size * cos, size * sin, -size * sin, size * cos, x, y],
    width: str.length * size * WIDTH,
    height: size,
    fontName: font,
    hasEOL: true,
    ...rest,
  };
}

export function page(number, items, styles = {}) {
  return { number, width: 400, height: 800, items, styles, ...pageText(items) };
}

/** A page of lines from the top: strings, or what `item` takes with `text` and the `gap` before. */
export function pageOf(number, lines, { top = 700 } = {}) {
  let y = top + LEADING;
  const items = lines.map((line) => {
    const { text, gap = LEADING, ...rest } = typeof line === "string" ? { text: line } : line;
    y -= gap;
    return item(text, { y, ...rest });
  });
  return page(number, items);
}

const WORDS = "of the sea and all those ships that were ever on it in any of these years".split(
  " ",
);

/** A full line of prose that begins and ends with these words, unlike lines that begin otherwise. */
export function full(start, end = "") {
  const turn = [...start].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % WORDS.length;
  const words = [...WORDS.slice(turn), ...WORDS.slice(0, turn)].join(" ");
  const room = FULL - start.length - end.length - 2;
  return [start, words.slice(0, room).trim().padEnd(room, "e"), end].join(" ").trim();
}

/** Blocks as `tag text`, with what is small in brackets and hidden hyphens as ¬. */
export function laidOut(pages, outline = []) {
  return layoutDocument({ pages, outline }).map((block) => `${block.tag} ${shown(block, pages)}`);
}

const BRACKETS = { small: "[]", sup: "^^" };

function shown({ parts, inline, soft }, pages) {
  const texts = parts.map(({ page: number, start, end }) => {
    const characters = [...pages.find((each) => each.number === number).text];
    for (const mark of soft.filter((each) => each.page === number)) characters[mark.start] = "¬";
    for (const mark of inline.filter((each) => each.page === number)) {
      characters[mark.start] = BRACKETS[mark.kind][0] + characters[mark.start];
      characters[mark.end - 1] += BRACKETS[mark.kind][1];
    }
    return characters.slice(start, end).join("");
  });
  return texts.join(" | ");
}
