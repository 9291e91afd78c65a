import { useEffect, useState } from "react";
import { focusMain } from "../../shared/focusMain";
import styles from "./ContentsList.module.css";
import type { Contents, ContentsEntry } from "./text/contents";

interface ContentsListProps {
  contents: Contents;
  onGo?: () => void;
}

/** The table of contents; the entry being read is marked. */
export function ContentsList({ contents, onGo }: ContentsListProps) {
  const [current, setCurrent] = useState<ContentsEntry | null>(null);
  useEffect(() => contents.follow(setCurrent), [contents]);
  const { entries } = contents;
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
                contents.goTo(entry);
                focusMain();
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
