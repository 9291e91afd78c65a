import { Highlighter, StickyNote } from "lucide-react";
import type { SearchResult } from "../../api/search";
import { KindIcon } from "../items/ItemRow";
import { kindWords, siteName } from "../items/itemWords";
import styles from "./CommandField.module.css";
import { MarkedText } from "./MarkedText";
import { linesOf, typeWords } from "./results";

/** What stands for a result: the item's kind, or what the person made of it. */
export function ResultIcon({ result: { type, media } }: { result: SearchResult }) {
  if (type === "highlight") return <Highlighter size={20} aria-hidden="true" />;
  if (type === "note") return <StickyNote size={20} aria-hidden="true" />;
  return <KindIcon kind={media.kind} />;
}

/** A result in the list below the field. */
export function FoundItem({ result }: { result: SearchResult }) {
  const { media } = result;
  const { title, line } = linesOf(result);
  const site = siteName(media);
  const type = typeWords(result);
  return (
    <>
      <ResultIcon result={result} />
      <span className={styles.found}>
        <span className={styles.title} lang={media.language ?? undefined} dir="auto">
          <MarkedText {...title} />
        </span>
        {line.text && (
          <span className={styles.snippet} lang={media.language ?? undefined} dir="auto">
            <MarkedText {...line} />
          </span>
        )}
        <span className={styles.facts}>
          <span className="visually-hidden">, </span>
          {type && <span>{type}</span>}
          <bdi>{site ?? kindWords(media.kind)}</bdi>
        </span>
      </span>
    </>
  );
}
