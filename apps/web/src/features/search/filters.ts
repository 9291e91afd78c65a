import { folded } from "./folded";

// The server decides what a query means; here is only what the help offers and completes.

/** Of a longer query the server takes nothing. */
export const MAX_LENGTH = 1_000;

export interface Filter {
  /** With its colon. */
  readonly name: string;
  readonly example: string;
  readonly words: string;
  readonly values?: readonly string[];
}

export const FILTERS: readonly Filter[] = [
  { name: "tag:", example: 'tag:"to read"', words: "has this tag" },
  {
    name: "in:",
    example: "in:highlights",
    words: "only in titles, highlights or notes",
    values: ["title", "highlights", "notes"],
  },
  {
    name: "kind:",
    example: "kind:pdf",
    words: "articles, PDFs, books, videos or podcasts",
    values: ["article", "pdf", "book", "video", "podcast"],
  },
  {
    name: "is:",
    example: "is:unread",
    words: "unread, reading, finished, archived or favourite",
    values: ["unread", "reading", "finished", "archived", "favourite"],
  },
  { name: "site:", example: "site:example.org", words: "from this site or publisher" },
  { name: "author:", example: "author:orwell", words: "by this author" },
  { name: "after:", example: "after:2026-01", words: "saved since then" },
  { name: "before:", example: "before:2025", words: "saved before that" },
];

/** Words that say more than the words themselves. */
export const OPERATORS: readonly (readonly [example: string, words: string])[] = [
  ['"ebb and flow"', "exactly these words, next to each other"],
  ["-draft", "without this word; also before a filter"],
  ["tid*", "words that begin like this"],
];

const LAST_FILTER = /(?:^|\s)-?(tag|in|kind|is):(?:"([^"]*)|(\S*))$/i;
const MAX_SHOWN = 6;

export interface Completion {
  /** What is completed: "tag:sea". */
  readonly label: string;
  /** What the query becomes. */
  readonly query: string;
}

/** How the filter at the end of a query can go on. */
export function completionsFor(query: string, tags: readonly string[]): Completion[] {
  const found = LAST_FILTER.exec(query);
  if (!found) return [];
  const [, name = "", quoted, bare = ""] = found;
  const typed = quoted ?? bare;
  const before = query.slice(0, query.length - (quoted === undefined ? bare : `"${quoted}`).length);
  const values = FILTERS.find((filter) => filter.name === `${name.toLowerCase()}:`)?.values ?? tags;
  const key = folded(typed);
  return values
    .filter((value) => folded(value).startsWith(key) && value !== typed)
    .slice(0, MAX_SHOWN)
    .map((value) => ({
      label: `${name}:${value}`,
      query: `${before}${/\s/.test(value) ? `"${value}"` : value} `,
    }));
}

/** Whether the last filter may still become a right one, of which the server knows nothing yet. */
export function isUnfinished(query: string): boolean {
  return completionsFor(query, []).length > 0;
}

/** A query with a filter begun at its end. */
export function withFilter(query: string, name: string): string {
  const words = query.trimEnd();
  return words ? `${words} ${name}` : name;
}
