import { useEffect, useState } from "react";
import type { Media } from "../../../api/types";
import { Popover } from "../../../ui/Popover";
import { readingMinutes } from "../../items/itemFacts";
import styles from "./Book.module.css";
import type { BookText } from "./bookText";
import { chapterAround, timeWords } from "./bookTime";

const SETTLED_MS = 150;

interface Progress {
  percent: number;
  chapter: string | null;
  chapterPercent: number;
  /** In minutes; null where the words were not counted. */
  leftInChapter: number | null;
  leftInBook: number | null;
}

/** How far one is, and how long the rest takes. */
export function BookProgress({ media, book }: { media: Media; book: BookText }) {
  const progress = useProgress(media, book);
  if (!progress) return null;
  const { percent, chapter, chapterPercent, leftInChapter, leftInBook } = progress;
  return (
    <div className={styles.progress}>
      <Popover label={`${percent}% read`} icon={<span className={styles.percent}>{percent}%</span>}>
        {() => (
          <dl className={styles.facts}>
            {chapter && (
              <div>
                <dt>Chapter</dt>
                <dd dir="auto">{chapter}</dd>
              </div>
            )}
            <div>
              <dt>In this chapter</dt>
              <dd>
                {chapterPercent}%{leftInChapter !== null && `, ${timeWords(leftInChapter)} left`}
              </dd>
            </div>
            <div>
              <dt>In the book</dt>
              <dd>
                {percent}%{leftInBook !== null && `, ${timeWords(leftInBook)} left`}
              </dd>
            </div>
          </dl>
        )}
      </Popover>
      {leftInChapter !== null && (
        <p className={styles.left}>{timeWords(leftInChapter)} left in chapter</p>
      )}
    </div>
  );
}

function useProgress(media: Media, book: BookText): Progress | null {
  const [progress, setProgress] = useState<Progress | null>(null);
  const minutes = readingMinutes(media);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => setProgress(progressOf(book, minutes));
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(look, SETTLED_MS);
    };
    later();
    const stop = book.onChange(later);
    window.addEventListener("scroll", later, { passive: true });
    return () => {
      clearTimeout(timer);
      stop();
      window.removeEventListener("scroll", later);
    };
  }, [book, minutes]);
  return progress;
}

function progressOf(book: BookText, minutes: number | null): Progress {
  const { length } = book.offsets;
  const here = book.progress() * length;
  const { start, end } = chapterAround(book.contents.entries, here, length);
  const left = (to: number) =>
    minutes === null ? null : ((to - here) / Math.max(1, length)) * minutes;
  return {
    percent: percentOf(here, 0, length),
    chapter: book.chapterAt(Math.floor(here)),
    chapterPercent: percentOf(here, start, end),
    leftInChapter: left(end),
    leftInBook: left(length),
  };
}

function percentOf(here: number, from: number, to: number): number {
  return Math.round(((here - from) / Math.max(1, to - from)) * 100);
}
