import { textOf } from "./measure.js";
import { isNamedFurniture, nameOf } from "./names.js";

const MAYBE = "[class*=caption i],[class*=desc i],[class*=legend i]";
const NAMES =
  /\b(?:caption|(?:photo|image|img|picture|foto) ?(?:desc|description|text|legend|caption))\b/;
const MOST = 200;
const MOST_CHARS = 400;
const LEVELS = 4;

/**
 * A box that holds a picture and a line that is named as its caption becomes a figure. Otherwise
 * Readability drops the line, above all where all of it is a link to the picture.
 * @param {Document} copy
 */
export function markCaptions(copy) {
  for (const line of Array.from(copy.querySelectorAll(MAYBE)).slice(0, MOST)) {
    const box = NAMES.test(nameOf(line)) ? boxOf(line) : null;
    if (!box) continue;
    const figure = copy.createElement("figure");
    const caption = copy.createElement("figcaption");
    box.replaceWith(figure);
    figure.append(...box.childNodes);
    caption.append(...line.childNodes);
    line.replaceWith(caption);
    const link = caption.closest("a");
    if (link) link.replaceWith(...link.childNodes);
  }
}

/**
 * The outermost element around a line that holds a picture and no other words.
 * @param {Element} line
 */
function boxOf(line) {
  const text = textOf(line);
  if (!text || text.length > MOST_CHARS || line.closest("figure,table,p,li")) return null;
  if (line.querySelector("img,p + p,ul,h1,h2,h3")) return null;
  /** @type {Element | null} */
  let found = null;
  let up = line.parentElement;
  for (let level = 0; up && level < LEVELS; level += 1, up = up.parentElement) {
    if (!up.matches("div,a,section,span") || textOf(up) !== text) break;
    if (up.querySelector("iframe,video,audio,object,h1,h2,h3")) return null;
    if (up.querySelector("img")) found = up;
  }
  return found && !isNamedFurniture(found) ? found : null;
}
