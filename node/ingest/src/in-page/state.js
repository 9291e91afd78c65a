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
  return { type: document.contentType, chars, dynamic };
}
