import { belowBody } from "./declared-body.js";
import { MARK } from "./kept.js";
import { isBlock, isInside, measure, SENTENCE, textOf } from "./measure.js";
import { namedBoxes } from "./names.js";
import {
  AGE,
  BYLINE,
  CALL,
  COPYRIGHT,
  FILED,
  FURNITURE_LINE,
  isStamp,
  MORE_LABEL,
  PAUSE,
  RELATED_LABEL,
  RELATED_PREFIX,
} from "./words.js";

/** @import { Measure } from "./measure.js" */

const HEADING = /^h[1-6]$/;
/** Less than this is no article: what looked like furniture was all the page has. */
const LEAST_PROSE = 250;
/** A longer block that begins like a call is prose. */
const CALL_SIZE = 250;
/** A block with one of these is more than its words. */
const PICTURED = `img,math,[${MARK}]`;
/** Parts of the article whatever they hold. */
const WHOLE = "table,pre,code,blockquote,figure,dl,math,[role=note]";

/**
 * Remove what stands between or after the paragraphs of an article and is not part of it: links to
 * other articles, calls to sign up, controls. Nothing is removed when little would be left.
 * @param {Element} article
 * @param {import("./site.js").Site} site
 */
export function removeFurniture(article, { isOwn, declared }) {
  const { measures, leaves } = measure(article);
  /** @param {Element} element */
  const of = (element) => measures.get(element) ?? { text: 0, linked: 0 };
  const blocks = leaves.map((element) => new Block(element, of(element)));
  const proses = blocks.filter((block) => block.prose).length;
  const page = { total: of(article).text, of, isOwn, blocks, teasing: declared && proses >= 4 };
  const boxes = [
    ...namedBoxes(article, of),
    ...belowBody(article, of),
    ...(page.teasing ? teaserLinks(article, page) : []),
    ...teasers(article, page),
  ];
  const gone = new Set(boxes);
  for (const block of blocks) block.removed = isInside(block.element, gone);
  markPauses(blocks);
  markLines(page);
  markOrphans(blocks);
  const removed = blocks.filter((block) => block.removed);
  if (sum(removed) > page.total / 2 && sum(blocks.filter(isKeptProse)) < LEAST_PROSE) return;
  for (const box of boxes) box.remove();
  for (const { element } of removed) removeEmptied(element, article);
}

/** @param {Block} block */
const isKeptProse = ({ prose, removed }) => prose && !removed;
/** @param {Block[]} blocks */
const sum = (blocks) => blocks.reduce((total, { size }) => total + size, 0);

/** An innermost block with text. */
class Block {
  /**
   * @param {Element} element
   * @param {Measure} measure
   */
  constructor(element, { text, linked }) {
    this.element = element;
    this.text = textOf(element);
    this.size = text;
    this.links = text > 0 ? linked / text : 0;
    this.heading = HEADING.test(element.localName) ? Number(element.localName[1]) : 0;
    this.whole = element.closest(WHOLE) !== null;
    this.item = element.localName === "li" && linked === 0;
    this.line = !this.whole && !this.item && !element.querySelector(PICTURED);
    const sentences = text - linked >= 80 && SENTENCE.test(this.text);
    const furniture = COPYRIGHT.test(this.text) || (text < CALL_SIZE && CALL.test(this.text));
    this.prose = sentences && !this.heading && !furniture;
    this.removed = false;
  }
}

/** @typedef {{total: number, of: (element: Element) => Measure, isOwn: (link: Element) => boolean, blocks: Block[], teasing: boolean}} Page */

/**
 * @param {Element} parent
 * @param {Page} page
 * @returns {Element[]}
 */
function teaserLinks(parent, page) {
  return Array.from(parent.children).flatMap((child) => {
    const { text, linked } = page.of(child);
    if (text === 0 || linked === 0 || child.matches(WHOLE)) return [];
    return isTeaserLink(child, page) ? [child] : teaserLinks(child, page);
  });
}

/**
 * A block that is nothing but a link to another article of the site, between paragraphs.
 * @param {Element} element
 * @param {Page} page
 */
function isTeaserLink(element, { of, isOwn }) {
  const { text, linked } = of(element);
  if (text < 25 || text > 600 || linked < text * 0.9 || element.closest(WHOLE)) return false;
  const links = element.localName === "a" ? [element] : Array.from(element.querySelectorAll("a"));
  const box = isBlock(element) || links.some((link) => link.querySelector("p,div,h2,h3,h4"));
  // Lists may be what the article is about, and a heading has its text below it.
  const other = element.matches("li,h1,h2,h3,h4,h5,h6") || element.querySelector("li");
  if (!box || other || !links.every(isOwn)) return false;
  const before = element.previousElementSibling;
  return !(before && /[:：]$/.test(textOf(before)));
}

/**
 * Boxes that show another article of the site: a heading that links to it, with a second link or
 * beside another such box.
 * @param {Element} article
 * @param {Page} page
 */
function teasers(article, { of, isOwn }) {
  const boxes = [];
  let doubtful = [];
  for (const heading of article.querySelectorAll("h2,h3,h4,h5,h6")) {
    const link = heading.querySelector("a[href]") ?? heading.closest("a[href]");
    const { text, linked } = of(heading);
    if (!link || !isOwn(link) || text < 15 || linked < text * 0.9) continue;
    const box = boxOf(heading, { article, of, place: placeOf(link) });
    if (!box) continue;
    if (linksTo(box, placeOf(link)) > 1) boxes.push(box);
    else doubtful.push(box);
  }
  if (doubtful.length + boxes.length < 2) doubtful = [];
  return [...boxes, ...doubtful];
}

/** @param {Element} link */
const placeOf = (link) => (link.getAttribute("href") ?? "").split(/[?#]/)[0];

/**
 * @param {Element} element
 * @param {string} place
 */
const linksTo = (element, place) =>
  Array.from(element.querySelectorAll("a[href]")).filter((link) => placeOf(link) === place).length;

/**
 * The largest element around a heading that holds little text and no heading of something else.
 * @param {Element} heading
 * @param {{article: Element, of: Page["of"], place: string}} page `place` is where the heading leads
 */
function boxOf(heading, { article, of, place }) {
  let box = heading;
  for (let up = heading.parentElement; up && up !== article; up = up.parentElement) {
    if (of(up).text > of(heading).text + 700) break;
    // A teaser is small; looking through a large part of the page for each heading takes long.
    if (up.getElementsByTagName("*").length > 100) break;
    const headings = Array.from(up.querySelectorAll("h2,h3,h4,h5,h6"));
    if (headings.some((other) => other !== heading && linksTo(other, place) === 0)) break;
    box = up;
  }
  return box === heading ? null : box;
}

/**
 * "Advertisement" and "Continue reading", where they are all that a block says.
 * @param {Block[]} blocks
 */
function markPauses(blocks) {
  for (const block of blocks) {
    if (block.line && !block.heading && block.size < 100) block.removed ||= PAUSE.test(block.text);
  }
}

/** @param {Page} page */
function markLines({ blocks, isOwn, teasing }) {
  const prose = blocks.flatMap((block, index) => (isKeptProse(block) ? [index] : []));
  if (prose.length < 2) return;
  const [first, second] = prose;
  const last = prose[prose.length - 1];
  const labels = new Map();
  for (const { text } of blocks) labels.set(text, (labels.get(text) ?? 0) + 1);
  let announced = false;
  let headed = false;
  blocks.forEach((block, index) => {
    if (block.removed || block.whole) return;
    const [above, below] = [index < first, index > last];
    const place = { above, below, near: teasing && (index < second || below) };
    const again = labels.get(block.text) > 1;
    const label = !block.item && isLabel(block, blocks[index + 1], again);
    const link = block.links >= 0.7 && !block.prose;
    headed = !label && (block.heading > 0 || (headed && place.below));
    block.removed =
      label ||
      (announced && link) ||
      (block.line && isLine(block, place)) ||
      (!headed && isMenu(block, place) && ownOnly(block, isOwn));
    announced = label || (announced && link);
  });
}

/**
 * Links before the first or after the last paragraph. Under a heading of their own they may belong
 * to the article, as sources do.
 * @param {Block} block
 * @param {{above: boolean, below: boolean}} place
 */
function isMenu({ element, size, links, heading }, { above, below }) {
  if (heading) return false;
  return below ? links >= 0.6 : above && links >= 0.8 && size < 60 && element.localName === "li";
}

/**
 * Whether a block announces other articles: links follow, or nothing of its own does.
 * @param {Block} block
 * @param {Block | undefined} next
 * @param {boolean} again Whether the same text stands elsewhere in the article too.
 */
function isLabel({ text, size, heading, links }, next, again) {
  if (size >= 80) return false;
  const leading = links > 0 || !next || next.removed || next.links >= 0.7;
  if (MORE_LABEL.test(text)) return leading;
  return RELATED_LABEL.test(text) && (leading || !heading || again);
}

/**
 * @param {Block} block
 * @param {{above: boolean, below: boolean, near: boolean}} place
 */
function isLine({ text, size, links, heading }, { above, below, near }) {
  if (size < 60 && FURNITURE_LINE.test(text)) return true;
  if (size < 300 && links >= 0.4 && RELATED_PREFIX.test(text)) return true;
  if (size < CALL_SIZE && (links > 0.05 || below) && CALL.test(text)) return true;
  if (size < 120 && (above || (near && !heading)) && isDateline(text)) return true;
  if (size < 300 && (above || below) && FILED.test(text)) return true;
  return size < 400 && below && COPYRIGHT.test(text);
}

/**
 * Whether a line says when something was written, or by whom.
 * @param {string} text
 */
const isDateline = (text) => isStamp(text) || AGE.test(text) || BYLINE.test(text);

/**
 * @param {Block} block
 * @param {Page["isOwn"]} isOwn
 */
function ownOnly({ element }, isOwn) {
  return Array.from(element.querySelectorAll("a[href]")).every(isOwn);
}

/**
 * Headings whose whole text was removed.
 * @param {Block[]} blocks
 */
function markOrphans(blocks) {
  /** @type {Block | undefined} */
  let next;
  let cleared = false;
  for (const block of blocks.toReversed()) {
    const empty = !next || (next.heading > 0 && next.heading <= block.heading);
    if (block.heading && cleared && empty) block.removed = true;
    if (block.removed) cleared = true;
    else {
      next = block;
      cleared = false;
    }
  }
}

/**
 * Remove an element, and with it what it leaves empty.
 * @param {Element} element
 * @param {Element} root
 */
function removeEmptied(element, root) {
  let gone = element;
  for (let up = gone.parentElement; up && up !== root; up = up.parentElement) {
    if (up.children.length > 1 || textOf(up) !== textOf(gone)) break;
    gone = up;
  }
  gone.remove();
}
