import type { Media } from "../../api/types";
import { siteName } from "./itemWords";

/** What a page or file says about itself, in words. Every part of it may be missing. */

const WORDS_PER_MINUTE = 230;
// The server counts characters where a script does not separate words.
const CHARACTERS_PER_MINUTE = 450;
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff]/g;
const UNSPACED_LANGUAGE = /^(?:zh|ja|yue|wuu|nan)\b/i;
const HANGUL = /[\uac00-\ud7af]/g;
const AND = new Intl.ListFormat("en", { type: "conjunction" });

type Counted = Pick<Media, "word_count" | "language" | "title">;
type Signed = Parameters<typeof siteName>[0] & Pick<Media, "authors">;

/** "8 min read", from the number of words; null where that is not known. */
export function readingTime(media: Counted): string | null {
  const count = readingMinutes(media);
  return count === null ? null : minutes(count);
}

/** How long reading it takes; null where the number of words is not known. */
export function readingMinutes({ word_count, language, title }: Counted): number | null {
  if (!word_count) return null;
  const unspaced = language ? UNSPACED_LANGUAGE.test(language) : hasUnspaced(title ?? "");
  return word_count / (unspaced ? CHARACTERS_PER_MINUTE : WORDS_PER_MINUTE);
}

/** "3 min left" of what was begun; null where the number of words is not known. */
export function timeLeft(media: Counted & Pick<Media, "progress">): string | null {
  const count = readingMinutes(media);
  return count === null ? null : `${wholeMinutes(count * (1 - media.progress))} min left`;
}

/** How far it was read in whole percent; never all of it before the end. */
export function percentRead({ progress }: Pick<Media, "progress">): number {
  return progress >= 1 ? 100 : Math.min(99, Math.round(progress * 100));
}

/** The reading time from the text itself, for what was saved before words were counted. */
export function readingTimeOf(text: string): string {
  const characters = (text.match(UNSPACED)?.length ?? 0) + (text.match(HANGUL)?.length ?? 0);
  const words = text.replace(UNSPACED, " ").replace(HANGUL, " ").match(/\S+/g)?.length ?? 0;
  return minutes(words / WORDS_PER_MINUTE + characters / CHARACTERS_PER_MINUTE);
}

/** "340 pages"; null where there are none. */
export function pageCount({ page_count }: Pick<Media, "page_count">): string | null {
  if (!page_count) return null;
  return page_count === 1 ? "1 page" : `${page_count.toLocaleString("en")} pages`;
}

function hasUnspaced(text: string): boolean {
  return text.search(UNSPACED) >= 0;
}

function minutes(count: number): string {
  return `${wholeMinutes(count)} min read`;
}

function wholeMinutes(count: number): string {
  return Math.max(1, Math.round(count)).toLocaleString("en");
}

/** Who wrote it: "A, B, and C"; null where nobody is named but the site itself. */
export function authorWords(media: Signed): string | null {
  const names = authorsOf(media);
  return names.length > 0 ? AND.format(names) : null;
}

/** The same in a few words, for a list: "A and 2 others". */
export function shortAuthorWords(media: Signed): string | null {
  const names = authorsOf(media);
  const [first, ...others] = names;
  if (!first || others.length < 2) return authorWords(media);
  return `${first} and ${others.length} others`;
}

function authorsOf(media: Signed): string[] {
  const site = siteName(media)?.toLowerCase();
  return media.authors.filter((name) => name.trim() !== "" && name.trim().toLowerCase() !== site);
}

/**
 * A date of publication in words, as exact as the source has it: "2014", "March 2014",
 * "5 March 2014". It is the day at the place of the source, whatever the time is here.
 */
export function publishedWords(published: string | null): string | null {
  const [, year, month, day] =
    /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?![\d-])/.exec(published ?? "") ?? [];
  if (!year) return null;
  const date = new Date(Date.UTC(2000, Number(month ?? 1) - 1, Number(day ?? 1)));
  date.setUTCFullYear(Number(year));
  const format: Intl.DateTimeFormatOptions = { year: "numeric", timeZone: "UTC" };
  if (month) format.month = "long";
  if (day) format.day = "numeric";
  return new Intl.DateTimeFormat(englishOf(navigator.languages), format).format(date);
}

/** The person's own English, which decides how a day is written; the app speaks no other language. */
function englishOf(languages: readonly string[] = []): string {
  return languages.find((one) => /^en(?:-[a-z]{2})?$/i.test(one)) ?? "en";
}
