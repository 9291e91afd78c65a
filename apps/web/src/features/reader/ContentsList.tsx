import { useEffect, useState } from "react";
import { focusMain } from "../../shared/focusMain";
import styles from "./ContentsList.module.css";
import type { ContentsEntry } from "./text/contents";

interface ContentsListProps {
  entries: readonly ContentsEntry[];
  onGo?: () => void;
}

const READING_LINE = 120;

/** The headings of the article; the one being read is marked. */
export function ContentsList({ entries, onGo }: ContentsListProps) {
  const current = useCurrentHeading(entries);
  return (
    <nav aria-label="Contents">
      <ol className={styles.list}>
        {entries.map((entry) => (
          <li key={entries.indexOf(entry)} data-depth={entry.depth}>
            <button
              type="button"
              dir="auto"
              className={styles.entry}
              aria-current={entry === current ? "location" : undefined}
              onClick={() => {
                goTo(entry);
                onGo?.();
              }}
            >
              {entry.text}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function goTo({ heading }: ContentsEntry): void {
  heading.scrollIntoView({ block: "start" });
  focusMain();
}

/** The last heading above the reading line. Headings tell when they cross it; nobody polls. */
function useCurrentHeading(entries: readonly ContentsEntry[]): ContentsEntry | null {
  const [current, setCurrent] = useState<ContentsEntry | null>(null);
  useEffect(() => {
    const find = () => {
      const above = entries.filter(
        ({ heading }) => heading.getBoundingClientRect().top < READING_LINE,
      );
      setCurrent(above.at(-1) ?? null);
    };
    const observer = new IntersectionObserver(find, { rootMargin: `-${READING_LINE}px 0px 0px` });
    for (const { heading } of entries) observer.observe(heading);
    return () => observer.disconnect();
  }, [entries]);
  return current;
}
