/** What kind of document this is, how much article-like text it has, and whether a script could still add some. */
export function textState() {
  let chars = 0;
  for (const block of document.querySelectorAll("p,li,pre,blockquote,td,article div")) {
    for (const node of block.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) chars += (node.textContent ?? "").trim().length;
    }
  }
  const dynamic = Array.from(document.scripts).some(
    ({ type }) => !type || type === "module" || /javascript|ecmascript/i.test(type),
  );
  // A file that its site calls a page: its first bytes are the first text.
  const first = document.body?.firstChild?.textContent ?? "";
  const isFile = first.startsWith("%PDF-") || first.startsWith("PK\u0003\u0004");
  return { type: document.contentType, chars, dynamic, isFile };
}

/**
 * The page as it was served, if it had text worth coming back to.
 * @typedef {{chars: number, html: string}} Served
 */

/**
 * Keep what was served when all of it has arrived and no deferred script has run. Some pages empty
 * themselves when a script of theirs fails.
 * @param {{textChars: number, htmlChars: number}} limits
 */
export function noteServed({ textChars, htmlChars }) {
  const note = () => {
    const { chars, dynamic } = textState();
    if (!dynamic || chars < textChars) return;
    const html = document.documentElement.outerHTML;
    if (html.length <= htmlChars) Object.assign(globalThis, { served: { chars, html } });
  };
  document.addEventListener("readystatechange", note, { once: true });
}

/**
 * What was served, when half of its text or more is gone.
 * @returns {Served | null}
 */
export function servedInstead() {
  /** @type {Served | undefined} */
  const served = /** @type {any} */ (globalThis).served;
  return served && textState().chars <= served.chars / 2 ? served : null;
}
