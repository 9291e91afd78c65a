/** What stands in headings for editors and for the mouse, not for readers. */

const HEADINGS = "h1,h2,h3,h4,h5,h6";
const EDIT =
  /^[[(\s]*(edit|edit source|edit section|edit this section|bearbeiten|quelltext bearbeiten|modifier|modifier le code|editar|editar c\u00f3digo|modifica|modifica wikitesto|bewerken|brontekst bewerken|redigera|edytuj|edytuj kod|\u043f\u0440\u0430\u0432\u0438\u0442\u044c|\u7f16\u8f91|\u7de8\u8f2f|\u7de8\u96c6)[\])\s]*$/i;
const MOST_LINKS = 20; // of one heading
const SYMBOL = /^([#\u00b6\u00a7\u221e\u2693\u2192\u200b\s]|\u{1f517}|\ufe0e|\ufe0f)*$/u;
const WORD =
  /^(link|permalink|anchor|copy link|direct link( to .*)?|link to (this )?(heading|section))$/i;
const ANCHOR_CLASS = /anchor|headerlink|permalink|hash-?link|heading-?link|headline-?link/i;

/** @param {Document} copy */
export function cleanHeadings(copy) {
  for (const section of copy.querySelectorAll(".mw-editsection,.mw-editsection-like"))
    section.remove();
  const seen = new Map();
  for (const link of copy.querySelectorAll("a")) {
    const heading = link.closest(HEADINGS);
    if (heading) seen.set(heading, (seen.get(heading) ?? 0) + 1);
    if (seen.get(heading) > MOST_LINKS) continue;
    if (isAnchor(link, heading)) removeUnlessAlone(link, heading);
    else if (heading && EDIT.test(link.textContent ?? ""))
      removeUnlessAlone(withBrackets(link), heading);
  }
}

/**
 * A link of a heading to itself, shown as a sign or not at all.
 * @param {Element} link
 * @param {Element | null} heading
 */
function isAnchor(link, heading) {
  if (!(link.getAttribute("href") ?? "").includes("#")) return false;
  if (link.closest("sup") || link.querySelector("img")) return false;
  if (!heading && !ANCHOR_CLASS.test(link.className)) return false;
  const text = (link.textContent ?? "").trim();
  return SYMBOL.test(text) || (WORD.test(text) && ANCHOR_CLASS.test(link.className));
}

/**
 * @param {Element} link
 * @param {Element | null} heading
 */
function removeUnlessAlone(link, heading) {
  const text = link.textContent?.trim();
  if (!text || !heading || heading.textContent?.trim() !== text) link.remove();
}

/**
 * The element that holds a link and the brackets around it.
 * @param {Element} link
 */
function withBrackets(link) {
  const parent = link.parentElement;
  if (parent && !parent.matches(HEADINGS) && EDIT.test(parent.textContent ?? "")) return parent;
  for (const side of [link.previousSibling, link.nextSibling]) {
    if (side?.nodeName === "#text")
      side.textContent = (side.textContent ?? "").replace(/\s*\[\s*$|^\s*\]\s*/, "");
  }
  return link;
}
