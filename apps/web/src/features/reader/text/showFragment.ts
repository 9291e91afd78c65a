import type { Fragment, ImageSize } from "../../../api/fragments";
import { type PageStart, preparePaged } from "./pagedText";
import { isRightToLeft, prepareArticle, updateScrollBoxes } from "./prepareArticle";
import { parseSanitized } from "./trustedHtml";

interface Shown {
  images: readonly ImageSize[];
  /** As a BCP 47 tag, where it is known. */
  language: string | null;
  /** Where pages begin, in a text that is printed on pages. */
  pages?: readonly PageStart[] | undefined;
}

/** Puts the text of a fragment into a box of its own, fitted for the page. */
export function fillWith(
  root: HTMLElement,
  { html_sanitized: html }: Pick<Fragment, "html_sanitized">,
  { images, language, pages }: Shown,
): void {
  const content = parseSanitized(html);
  prepareArticle(content, images);
  root.replaceChildren();
  if (pages) fitPages(content, pages, root);
  root.dir = isRightToLeft(content.textContent, language) ? "rtl" : "ltr";
  root.replaceChildren(content);
}

function fitPages(content: DocumentFragment, pages: readonly PageStart[], column: HTMLElement) {
  const loose = document.createElement("div");
  loose.append(content);
  preparePaged(loose, pages, column);
  content.append(...loose.childNodes);
}

/** Follows what happens to a text on the page; returns how to stop it. */
export function lookAfter(root: HTMLElement): () => void {
  const stopMarking = markImages(root);
  const observer = new ResizeObserver(() => updateScrollBoxes(root));
  observer.observe(root);
  return () => {
    observer.disconnect();
    stopMarking();
  };
}

/** Tells which images are there and which will never be. Their boxes stay as they are. */
function markImages(root: HTMLElement): () => void {
  const onLoad = ({ target }: Event) => {
    if (target instanceof HTMLImageElement) target.dataset.loaded = "";
  };
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLImageElement) target.dataset.broken = "";
  };
  // These events do not bubble, but they can be caught on their way down.
  root.addEventListener("load", onLoad, true);
  root.addEventListener("error", onError, true);
  return () => {
    root.removeEventListener("load", onLoad, true);
    root.removeEventListener("error", onError, true);
  };
}
