import { Link } from "wouter";
import type { SearchResult } from "../../api/search";
import { Time } from "../../ui/Time";
import { kindWords, siteName } from "../items/itemWords";
import { ResultIcon } from "./FoundItem";
import { MarkedText } from "./MarkedText";
import { linesOf, resultHref, typeWords } from "./results";
import styles from "./SearchPage.module.css";

interface ResultRowProps {
  result: SearchResult;
  onOpen: () => void;
}

/** One result: what it is in, the line that was found, and where it is from. */
export function ResultRow({ result, onOpen }: ResultRowProps) {
  const { media } = result;
  const { title, line } = linesOf(result);
  const language = media.language ?? undefined;
  const site = siteName(media);
  const kind = kindWords(media.kind);
  const type = typeWords(result);
  return (
    <li className={styles.row}>
      <ResultIcon result={result} />
      <div className={styles.text}>
        <h2 className={styles.title}>
          <Link href={resultHref(result)} lang={language} dir="auto" data-result onClick={onOpen}>
            <MarkedText {...title} />
          </Link>
        </h2>
        {line.text && (
          <p className={styles.snippet} lang={language} dir="auto">
            <MarkedText {...line} />
          </p>
        )}
        <p className={styles.facts}>
          {type && <span className={styles.type}>{type}</span>}
          <bdi>{site ?? kind}</bdi>
          {site && <span>{kind}</span>}
          <Time at={media.saved_at} />
        </p>
      </div>
    </li>
  );
}

/** The links of the results, top to bottom. */
export function resultLinks(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-result]")];
}
