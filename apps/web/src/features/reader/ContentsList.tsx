import { useEffect, useRef, useState } from "react";
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
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    if (current) showIn(list.current);
  }, [current]);
  const { entries } = contents;
  return (
    <nav ref={list} aria-label="Contents">
      <ol className={styles.list}>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the entries stay, and may be called alike.
          <li key={index} data-depth={entry.depth}>
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

/** Brings the marked entry of a long list into view, and moves nothing but the list. */
function showIn(list: HTMLElement | null): void {
  const box = list?.parentElement;
  const entry = list?.querySelector("[aria-current]")?.getBoundingClientRect();
  if (!box || !entry || box.scrollHeight <= box.clientHeight) return;
  const { top, bottom } = box.getBoundingClientRect();
  if (entry.top < top || entry.bottom > bottom) {
    box.scrollTop += entry.top - top - box.clientHeight / 3;
  }
}
