import { SENTENCE, textOf, weigh } from "./measure.js";
import { isNamedFurniture, nameOf } from "./names.js";
import { sameWords } from "./title.js";

const NAMES =
  /\b(?:stand ?first|dek|sub ?(?:title|head(?:line|ing)?)|lede|excerpt|intro(?:duction)?|summary|strap ?line|perex|chapo|vorspann)\b/;
const LEVELS = 3;
const MOST_CHARS = 600;
const FEW = 60;
const ELSEWHERE = "nav,aside,footer,figure,a,li,form,[class*=author i],[class*=bio i]";

/**
 * The paragraph that introduces an article, where it stands with the title and outside the text.
 * @param {Document} copy
 * @param {(string | null | undefined)[]} titles The forms in which the page has its title.
 */
export function findStandfirst(copy, titles) {
  const said = new Set(titles.map((text) => sameWords(text ?? "")).filter(Boolean));
  for (const heading of Array.from(copy.querySelectorAll("h1")).slice(0, 20)) {
    if (!said.has(sameWords(textOf(heading)))) continue;
    const found = after(heading).find(isStandfirst);
    if (found && !said.has(sameWords(textOf(found)))) return textOf(found);
  }
  return "";
}

/**
 * What stands below a heading, in the boxes around it.
 * @param {Element} heading
 */
function after(heading) {
  const found = [];
  let up = heading;
  for (let level = 0; level < LEVELS && !up.matches("body,main,article"); level += 1) {
    let next = up.nextElementSibling;
    for (let step = 0; next && step < FEW; step += 1, next = next.nextElementSibling) {
      // The text itself: what comes after it introduces something else.
      if (textOf(next).length > 2 * MOST_CHARS) return found;
      found.push(next, ...Array.from(next.querySelectorAll("*")).slice(0, FEW));
    }
    if (!up.parentElement) break;
    up = up.parentElement;
  }
  return found;
}

/** @param {Element} element */
function isStandfirst(element) {
  if (!NAMES.test(nameOf(element)) || isNamedFurniture(element)) return false;
  if (element.closest(ELSEWHERE)) return false;
  if (element.querySelector("h1,h2,h3,ul,ol,img,p + p,input,button")) return false;
  const text = textOf(element);
  const linked = Array.from(element.querySelectorAll("a")).reduce(
    (sum, link) => sum + textOf(link).length,
    0,
  );
  if (weigh(text) < FEW || text.length > MOST_CHARS || linked > text.length / 4) return false;
  return SENTENCE.test(text);
}

/**
 * Puts it above the text, unless it is in it.
 * @param {Element} root
 * @param {string} standfirst
 */
export function addStandfirst(root, standfirst) {
  if (!standfirst || sameWords(root.textContent ?? "").includes(sameWords(standfirst))) return;
  const line = root.ownerDocument.createElement("p");
  line.textContent = standfirst;
  (root.firstElementChild ?? root).prepend(line);
}
