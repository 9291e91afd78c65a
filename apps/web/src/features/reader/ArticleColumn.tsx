import { Download } from "lucide-react";
import { useId } from "react";
import type { Fragment } from "../../api/fragments";
import type { Media } from "../../api/types";
import { Button } from "../../ui/Button";
import { hostOf } from "../items/itemWords";
import { useDownload } from "../items/queries";
import { ArticleBody } from "./ArticleBody";
import { ArticleHead } from "./ArticleHead";
import { PrintedNotes } from "./PrintedNotes";
import type { TextColumnProps } from "./Reader";
import styles from "./Reader.module.css";
import type { PageStart } from "./text/pagedText";
import { usePrinting } from "./usePrinting";

interface ArticleColumnProps extends TextColumnProps {
  fragment: Fragment;
  pages?: readonly PageStart[];
}

/** The article from its title to its end. */
export function ArticleColumn(props: ArticleColumnProps) {
  const { title, original, media, fragment, highlights, notes, warnings, pages, onText } = props;
  const titleId = useId();
  const printing = usePrinting();
  return (
    <article className={styles.article} aria-labelledby={titleId} data-printed>
      <ArticleHead
        {...{ title, titleId, original, media, fragment, printing }}
        highlightCount={highlights.length}
      />
      {warnings}
      <ArticleBody
        fragment={fragment}
        language={media.language}
        labelledBy={titleId}
        pages={pages}
        onText={onText}
      />
      <footer className={styles.end}>
        {original ? (
          <a href={original.href} target="_blank" rel="noopener noreferrer">
            Read the original at {hostOf(original.href)}
          </a>
        ) : media.capabilities.can_download_file ? (
          <DownloadFile media={media} />
        ) : (
          <span>The end.</span>
        )}
      </footer>
      {printing && <PrintedNotes highlights={highlights} notes={notes} />}
    </article>
  );
}

function DownloadFile({ media }: { media: Media }) {
  const download = useDownload(media);
  return (
    <Button pending={download.isPending} onClick={() => download.mutate()}>
      <Download size={18} aria-hidden="true" />
      Download the file
    </Button>
  );
}
