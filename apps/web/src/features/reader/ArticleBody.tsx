import { memo, useLayoutEffect, useRef } from "react";
import { keep, readKept } from "../../ui/localStore";
import styles from "./Article.module.css";
import { ArticleText } from "./text/articleText";
import {
  type ImageSizes,
  isRightToLeft,
  prepareArticle,
  updateScrollBoxes,
} from "./text/prepareArticle";
import { parseSanitized } from "./text/trustedHtml";

interface ArticleBodyProps {
  fragmentId: string;
  html: string;
  labelledBy: string;
  /** Told once the text is on the page, and with null when it leaves. */
  onText: (text: ArticleText | null) => void;
}

/** The only component that shows sanitized HTML. React makes the box and never looks inside. */
export const ArticleBody = memo(function ArticleBody(props: ArticleBodyProps) {
  const { fragmentId, html, labelledBy, onText } = props;
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const root = box.current;
    if (!root) return;
    const content = parseSanitized(html);
    prepareArticle(content, readSizes(fragmentId));
    root.replaceChildren(content);
    root.dir = isRightToLeft(root.textContent) ? "rtl" : "ltr";
    const text = new ArticleText(root);
    const stopKeeping = keepImageSizes(root, fragmentId);
    const observer = new ResizeObserver(() => updateScrollBoxes(root));
    observer.observe(root);
    onText(text);
    return () => {
      onText(null);
      observer.disconnect();
      stopKeeping();
      text.destroy();
    };
  }, [fragmentId, html, onText]);
  return <section ref={box} className={styles.body} tabIndex={-1} aria-labelledby={labelledBy} />;
});

const sizesKey = (fragmentId: string) => `nexus.images.${fragmentId}`;

function readSizes(fragmentId: string): ImageSizes {
  return (readKept(sizesKey(fragmentId)) ?? {}) as ImageSizes;
}

/** Remembers how large each image was, so that the next visit has room for it from the start. */
function keepImageSizes(root: HTMLElement, fragmentId: string): () => void {
  const sizes: Record<string, readonly [number, number]> = { ...readSizes(fragmentId) };
  const onLoad = ({ target }: Event) => {
    if (!(target instanceof HTMLImageElement)) return;
    target.dataset.loaded = "";
    const source = (target.getAttribute("src") ?? "").replace(/^\/api/, "");
    sizes[source] = [target.naturalWidth, target.naturalHeight];
    keep(sizesKey(fragmentId), sizes);
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
