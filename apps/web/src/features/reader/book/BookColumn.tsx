import { useQueryClient } from "@tanstack/react-query";
import { useId, useLayoutEffect, useRef } from "react";
import { onReachableChange } from "../../../api/connection";
import { fetchFragment } from "../../../api/fragments";
import type { Outline } from "../../../api/media";
import { Notice } from "../../../ui/Notice";
import { showToast } from "../../../ui/toasts";
import { fragmentQuery } from "../data/queries";
import { PrintedNotes } from "../PrintedNotes";
import type { TextColumnProps } from "../Reader";
import readerStyles from "../Reader.module.css";
import { usePrinting } from "../usePrinting";
import styles from "./Book.module.css";
import { BookHead } from "./BookHead";
import type { BookOffsets } from "./bookOffsets";
import { BookText } from "./bookText";

interface BookColumnProps extends TextColumnProps {
  outline: Outline;
  offsets: BookOffsets;
  onBook: (book: BookText | null) => void;
}

/** A book from its title to its end. React makes the box of the chapters and never looks inside. */
export function BookColumn(props: BookColumnProps) {
  const { title, media, outline, offsets, highlights, notes, warnings } = props;
  const titleId = useId();
  const printing = usePrinting();
  const box = useBook(props);
  return (
    <article className={readerStyles.article} aria-labelledby={titleId} data-printed>
      <BookHead {...{ title, titleId, media }} highlightCount={highlights.length} />
      {warnings}
      {outline.fixed_layout && (
        <div className={readerStyles.notice}>
          <Notice>
            This book was made for pages of a fixed layout. Its text and pictures are all here, but
            not in their places on the page.
          </Notice>
        </div>
      )}
      {offsets.count > 1 && (
        <p className={styles.printed}>Only the chapters around the place one reads are printed.</p>
      )}
      <section
        ref={box}
        className={styles.book}
        lang={media.language ?? ""}
        tabIndex={-1}
        aria-labelledby={titleId}
      />
      <footer className={readerStyles.end}>
        <span>The end.</span>
      </footer>
      {printing && <PrintedNotes highlights={highlights} notes={notes} />}
    </article>
  );
}

function useBook({ media, outline, offsets, onText, onBook }: BookColumnProps) {
  const box = useRef<HTMLElement>(null);
  const client = useQueryClient();
  const { language } = media;
  useLayoutEffect(() => {
    const root = box.current;
    if (!root) return;
    let told = false;
    const book = new BookText({
      ...{ root, outline, offsets, language },
      load: (id) => client.fetchQuery(fragmentQuery(id)),
      search: (id, signal) => {
        const known = client.getQueryData(fragmentQuery(id).queryKey);
        return known ? Promise.resolve(known) : fetchFragment(id, signal);
      },
      cached: (id) => client.getQueryData(fragmentQuery(id).queryKey),
      onError: () => {
        if (told) return;
        told = true;
        const retry = () => {
          told = false;
          book.stack.retry();
        };
        showToast("A part of the book could not be loaded.", "error", {
          label: "Try again",
          run: retry,
        });
      },
    });
    const stopListening = onReachableChange(() => book.stack.retry());
    onText(book);
    onBook(book);
    return () => {
      stopListening();
      onText(null);
      onBook(null);
      book.destroy();
    };
  }, [client, outline, offsets, language, onText, onBook]);
  return box;
}
