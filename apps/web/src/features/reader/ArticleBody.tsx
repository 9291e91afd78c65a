import { memo, useLayoutEffect, useRef, useState } from "react";
import type { Fragment } from "../../api/fragments";
import { cx } from "../../ui/cx";
import styles from "./Article.module.css";
import pageStyles from "./PagedText.module.css";
import { ArticleText } from "./text/articleText";
import type { PageStart } from "./text/pagedText";
import type { ReadingText } from "./text/readingText";
import { fillWith, lookAfter } from "./text/showFragment";
import { isPrinting, onPrint } from "./usePrinting";

interface ArticleBodyProps {
  fragment: Fragment;
  /** As a BCP 47 tag, where it is known. */
  language: string | null;
  labelledBy: string;
  /** Where pages begin, in a text that is printed on pages. */
  pages?: readonly PageStart[] | undefined;
  /** Told once the text is on the page, and with null when it leaves. */
  onText: (text: ReadingText | null) => void;
}

/** The text of an article. React makes the box and never looks inside. */
export const ArticleBody = memo(function ArticleBody(props: ArticleBodyProps) {
  const { language, labelledBy, pages, onText } = props;
  // Sizes that are learnt while somebody reads are for the next visit.
  const [images] = useState(props.fragment.images);
  const { html_sanitized: html, canonical_text: canonicalText, idx } = props.fragment;
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const root = box.current;
    if (!root) return;
    fillWith(root, { html_sanitized: html }, { images, language, pages });
    const text = new ArticleText(root, { canonicalText, fragment: idx, guessed: !!pages });
    const stopLooking = lookAfter(root);
    text.printing = isPrinting();
    const stopPrinting = onPrint((printing) => {
      text.printing = printing;
    });
    onText(text);
    return () => {
      stopPrinting();
      onText(null);
      stopLooking();
      text.destroy();
    };
  }, [html, canonicalText, idx, images, language, pages, onText]);
  return (
    <section
      ref={box}
      className={cx(styles.body, pages && pageStyles.paged)}
      // One that is not known is not the app's own: its words must not be broken as English.
      lang={language ?? ""}
      tabIndex={-1}
      aria-labelledby={labelledBy}
    />
  );
});
