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
