/**
 * Readability drops what it does not know or believes to be hidden. What an article must keep stands
 * as a mark with some text in it while Readability runs, and takes the place of its mark after it.
 * @typedef {{final: Element, block: boolean}} Kept
 */

export const MARK = "data-nexus-kept";

/**
 * Puts a mark where `place` is.
 * @param {Kept[]} kept
 * @param {Element} place
 * @param {Kept & {text: string}} item Its text is what Readability sees of it.
 */
export function keep(kept, place, { final, block, text }) {
  const wrapper = onlyWrapper(place);
  const inline = !block || wrapper.parentElement?.closest(PHRASING);
  const mark = place.ownerDocument.createElement(inline ? "span" : "p");
  mark.setAttribute(MARK, String(kept.length));
  mark.textContent = text;
  kept.push({ final, block });
  // A link cannot hold another one.
  const link = block && wrapper.closest("a");
  if (link) {
    link.after(mark);
    wrapper.remove();
  } else {
    wrapper.replaceWith(mark);
  }
}

const PHRASING = "p,span,a,b,strong,em,i,u,small,sup,sub,label,font,h1,h2,h3,h4,h5,h6";
const WRAPPERS = new Set(["div", "span", "p", "a", "center", "amp-youtube"]);
const FEW = 8;

/**
 * The outermost element around this one that holds nothing else: its classes say "widget" or
 * "media", for which Readability would drop it.
 * @param {Element} place
 */
export function onlyWrapper(place) {
  let wrapper = place;
  for (;;) {
    const parent = wrapper.parentElement;
    if (!parent || !WRAPPERS.has(parent.localName)) return wrapper;
    if (parent.childNodes.length > FEW) return wrapper;
    for (const node of parent.childNodes) if (node !== wrapper && !isBlank(node)) return wrapper;
    wrapper = parent;
  }
}

const CONTENT = `img,picture,svg,iframe,video,audio,object,embed,math,noscript,table,hr,[id],[${MARK}]`;

/** @param {any} node */
function isBlank(node) {
  if ((node.textContent ?? "").trim()) return false;
  return (
    node.nodeType !== Node.ELEMENT_NODE || !(node.matches(CONTENT) || node.querySelector(CONTENT))
  );
}

/** @param {Document} copy */
export function forgetForeignMarks(copy) {
  for (const element of copy.querySelectorAll(`[${MARK}]`)) element.removeAttribute(MARK);
}

/**
 * Puts everything back in the place of its mark.
 * @param {Element} root
 * @param {Kept[]} kept
 */
export function restore(root, kept) {
  const blocks = new Set();
  const split = new Set();
  for (const mark of root.querySelectorAll(`[${MARK}]`)) {
    const item = kept[Number(mark.getAttribute(MARK))];
    const parent = mark.parentElement;
    if (!item || !parent) continue;
    mark.replaceWith(item.final);
    if (!item.block) continue;
    blocks.add(item.final);
    if (parent.localName === "p") split.add(parent);
  }
  for (const paragraph of split) splitAround(paragraph, blocks);
}

/**
 * A block inside a paragraph ends it, and what follows begins another.
 * @param {Element} paragraph
 * @param {Set<Node>} blocks
 */
function splitAround(paragraph, blocks) {
  const parts = paragraph.ownerDocument.createDocumentFragment();
  /** @type {Element | null} */
  let open = null;
  for (const child of Array.from(paragraph.childNodes)) {
    if (blocks.has(child)) {
      open = null;
      parts.append(child);
    } else if (open) {
      open.append(child);
    } else if (
      child.nodeName !== "BR" &&
      (child.nodeName !== "#text" || child.textContent?.trim())
    ) {
      open = /** @type {Element} */ (paragraph.cloneNode(false));
      paragraph.removeAttribute("id");
      parts.append(open);
      open.append(child);
    }
  }
  paragraph.replaceWith(parts);
}
