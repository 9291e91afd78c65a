import { isBlock } from "./measure.js";

/** @import { Measure } from "./measure.js" */

const CODE = "pre,code,math";
const HIDDEN = {
  names: /\b(?:sr only|visually ?hidden|screen ?reader(?: text| only)?|a11y hidden)\b/,
  most: 300,
  links: 0,
};
const COMMENTS = {
  names:
    /\b(?:comments|comment ?(?:list|form|section)|comments area|disqus|respond|reader comments)\b/,
  most: Infinity,
  links: 0,
};

/**
 * Names that authors of pages give to furniture: classes and ids, as words. Each with the most text
 * such a box holds and the least share of it that is links; a larger one is part of the article.
 * @type {{names: RegExp, most: number, links: number}[]}
 */
const NAMES = [
  {
    names:
      /\b(?:news ?letter|sign ?up|subscri(?:be|ption)|reg ?wall|log ?in|sign ?in|cookies?|consent|gdpr)\b/,
    most: 800,
    links: 0,
  },
  {
    names: /\b(?:advert\w*|ads?|ad ?(?:slot|unit|box|label)|dfp|sponsored?|outbrain|taboola)\b/,
    most: 300,
    links: 0,
  },
  {
    names:
      /\b(?:share|sharing|share ?(?:bar|tools|buttons)|social|add ?this|follow(?: us)?|toolbar|tools)\b/,
    most: 200,
    links: 0,
  },
  {
    names: /\b(?:bread ?crumbs?|paginat\w+|pager|prev next|next prev|post nav\w*)\b/,
    most: 300,
    links: 0.5,
  },
  COMMENTS,
  {
    names:
      /\b(?:related\w*|recommend\w*|recirc\w*|popular|trending|most ?(?:read|viewed|shared)|read ?more|more ?(?:from|stories|on)|rich ?link|teasers?|promo\w*|also ?like)\b/,
    most: 2_000,
    links: 0.25,
  },
  {
    names: /\b(?:tags?|tag ?(?:s|list|cloud)|post tags|topics|keywords|categories)\b/,
    most: 400,
    links: 0.5,
  },
  {
    names:
      /\b(?:by ?line|author|dateline|timestamp|pub ?date|post ?meta|entry ?meta|article ?meta|meta ?data)\b/,
    most: 160,
    links: 0,
  },
];

/**
 * Readability puts a paragraph in the place of the box that holds nothing else: let it keep its name.
 * @param {Document} copy
 */
export function keepNames(copy) {
  for (const paragraph of copy.querySelectorAll("div > p:only-child")) {
    const { className, id } = /** @type {Element} */ (paragraph.parentElement);
    if (className || id) paragraph.className = `${paragraph.className} ${className} ${id}`;
  }
}

// What these are is said by their tag. Readability judges them by their names, such as "subheader".
const SPEAKING = "h2,h3,h4,h5,h6,dt,dd,figcaption,caption,summary";

/**
 * Takes the names from elements that speak for themselves, unless they are named as furniture.
 * @param {Document} copy
 */
export function ignoreNames(copy) {
  for (const element of copy.querySelectorAll(SPEAKING)) {
    // Made of the words of the heading, most often.
    element.removeAttribute("id");
    if (!isNamedFurniture(element)) element.removeAttribute("class");
  }
  // A note to the reader between paragraphs, often little more than a link.
  for (const note of copy.querySelectorAll("div[role=note]")) {
    if (isNamedFurniture(note) || note.querySelector(NOT_IN_A_LINE)) continue;
    const line = copy.createElement("p");
    line.setAttribute("role", "note");
    line.append(...note.childNodes);
    note.replaceWith(line);
  }
}

const NOT_IN_A_LINE = "p,div,ul,ol,dl,table,figure,section,h2,h3,h4,h5,h6";

/**
 * The outermost elements that are named as furniture. A name that much of the article has means
 * something else on this page.
 * @param {Element} article
 * @param {(element: Element) => Measure} of
 */
export function namedBoxes(article, of) {
  const total = of(article).text;
  /** @type {Map<object, Element[]>} */
  const found = new Map();
  /** @param {Element} parent */
  const look = (parent) => {
    for (const child of parent.children) {
      const rule = of(child).text > 0 && !child.matches(CODE) && ruleFor(child, of(child));
      if (rule) found.set(rule, [...(found.get(rule) ?? []), child]);
      else look(child);
    }
  };
  look(article);
  return Array.from(found).flatMap(([rule, boxes]) => {
    const share = boxes.reduce((sum, box) => sum + of(box).text, 0) / total;
    return share < (rule === COMMENTS ? 0.95 : 0.3) ? boxes : [];
  });
}

/**
 * @param {Element} element
 * @param {Measure} size
 */
function ruleFor(element, { text, linked }) {
  const name = nameOf(element);
  if (!name) return undefined;
  if (HIDDEN.names.test(name) && text <= HIDDEN.most) return HIDDEN;
  // A word of a sentence may be named after what it links to.
  if (!isBlock(element)) return undefined;
  return NAMES.find(
    ({ names, most, links }) => text <= most && linked >= text * links && names.test(name),
  );
}

/**
 * Whether an element is named as furniture, whatever it holds.
 * @param {Element} element
 */
export function isNamedFurniture(element) {
  const name = nameOf(element);
  return HIDDEN.names.test(name) || NAMES.some(({ names }) => names.test(name));
}

/**
 * What the author of a page calls an element: its classes and id, as words.
 * @param {Element} element
 */
export function nameOf(element) {
  const name = `${element.getAttribute("class") ?? ""} ${element.id}`.slice(0, 400);
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}
