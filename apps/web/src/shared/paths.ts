// The addresses of the app. Anything under /api, /auth and /storage belongs to the server.

/** A stretch of the text of one fragment. */
export interface Passage {
  readonly fragmentId: string;
  readonly start: number;
  readonly end: number;
}

const PASSAGE = /^([0-9a-f-]{36})\.(\d{1,9})-(\d{1,9})$/i;

/** The passage that an address like `/read/…?at=FRAGMENT.12-40` leads to. */
export function passageIn(search: string): Passage | null {
  const asked = PASSAGE.exec(new URLSearchParams(search).get("at") ?? "");
  const [, fragmentId = "", start, end] = asked ?? [];
  return asked && { fragmentId, start: Number(start), end: Number(end) };
}

const READ = /^\/read\/([^/]+)$/;

/** The id of the item that an address of the reader leads to. */
export function itemToRead(pathname: string): string | null {
  const id = READ.exec(pathname)?.[1];
  try {
    return id === undefined ? null : decodeURIComponent(id);
  } catch {
    return null;
  }
}

export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  settings: "/settings",
  highlights: "/highlights",
  /** The way in, or one import. */
  import: (id = "") => (id ? `/import/${encodeURIComponent(id)}` : "/import"),
  continueReading: "/continue",
  favourites: "/favourites",
  archive: "/archive",
  all: "/all",
  tags: "/tags",
  /** An article, at a highlight when one is named. */
  read: (id: string, highlightId?: string) =>
    `/read/${encodeURIComponent(id)}${highlightId ? `#h=${highlightId}` : ""}`,
  /** The reader at a passage of one fragment, in code points. */
  passage: (id: string, { fragmentId, start, end }: Passage) =>
    `/read/${encodeURIComponent(id)}?at=${fragmentId}.${start}-${end}`,
  item: (id: string) => `/item/${encodeURIComponent(id)}`,
  library: (id: string) => `/libraries/${encodeURIComponent(id)}`,
  tag: (name: string) => `/tags/${encodeURIComponent(name)}`,
  /** What is found by a query. */
  search: (query = "") => (query ? `/search?q=${encodeURIComponent(query)}` : "/search"),
} as const;
