import { BookOpen, CirclePlay, FileText, type LucideIcon, Newspaper } from "lucide-react";
import type { ComponentType } from "react";
import { LIMITS } from "../api/schema";
import type { MediaKind } from "../api/types";
import { youtubeVideoId } from "./youtube";

// Everything this app knows about the kinds of item. A new kind is one more entry here, with its
// reader in a feature of its own; what the server accepts comes from the server.

export interface Kind {
  /** What one is called, and several. */
  name: string;
  plural: string;
  icon: LucideIcon;
  /** Which addresses are saved as this kind, if any. */
  takesAddress?: (url: string) => boolean;
  /** The files that are uploaded as this kind, if any. */
  file?: FileType;
  /** Loads the view that opens it; without one, its file is kept for download. */
  loadReader?: () => Promise<ComponentType>;
  /** Its file is the slowest part, and is asked for before the rest. */
  fileFirst?: boolean;
  /** What is loaded while one looks at a list with such items, so that they open at once. */
  ahead?: readonly (() => Promise<unknown>)[];
  /** Whether it is played and not read. */
  plays?: boolean;
  /** What the server does until it can be opened. */
  working?: string;
  /** A list names the site it is from, and not also the kind. */
  namedBySite?: boolean;
}

export interface FileType {
  name: string;
  extension: string;
  content_type: string;
  max_bytes: number;
}

export const loadArticleReader = async () =>
  (await import("../features/reader/ReaderPage")).ReaderPage;

const loadPdfReader = async () => (await import("../features/reader/pdf/PdfPage")).PdfPage;

// Of pdf.js there is nothing in it.
const loadPdfParts = () => import("../features/reader/pdf/PdfReader");

const loadBookReader = async () => (await import("../features/reader/book/BookPage")).BookPage;

const KINDS: Record<MediaKind, Kind> = {
  web_article: {
    name: "Article",
    plural: "Articles",
    icon: Newspaper,
    takesAddress: () => true,
    loadReader: loadArticleReader,
    ahead: [loadArticleReader],
    working: "Fetching the page…",
    namedBySite: true,
  },
  pdf: {
    name: "PDF",
    plural: "PDFs",
    icon: FileText,
    file: LIMITS.files.pdf,
    loadReader: loadPdfReader,
    fileFirst: true,
    ahead: [loadPdfReader, loadPdfParts],
  },
  epub: {
    name: "Book",
    plural: "Books",
    icon: BookOpen,
    file: LIMITS.files.epub,
    loadReader: loadBookReader,
    ahead: [loadBookReader],
    working: "Reading the book…",
  },
  video: {
    name: "Video",
    plural: "Videos",
    icon: CirclePlay,
    takesAddress: (url) => youtubeVideoId(url) !== null,
    plays: true,
  },
  podcast_episode: {
    name: "Podcast",
    plural: "Podcasts",
    icon: FileText,
    plays: true,
  },
};

const UNKNOWN: Kind = { name: "Item", plural: "Items", icon: FileText };

const ALL = Object.entries(KINDS) as [MediaKind, Kind][];

/** The kinds that can be added, in the order they are offered. */
export const ADDED_KINDS = ALL.filter(([, { takesAddress, file }]) => takesAddress || file).map(
  ([kind]) => kind,
);

/** All types of file that can be uploaded, with the kind each becomes. */
export const FILE_TYPES = ALL.flatMap(([kind, { file }]) => (file ? [{ kind, ...file }] : []));

/** What is known of a kind; one that this app has never heard of is just an item. */
export function kindOf(kind: string): Kind {
  return KINDS[kind as MediaKind] ?? UNKNOWN;
}

/** The kind an address is saved as: the last one that takes it, as the first takes them all. */
export function kindOfAddress(url: string): MediaKind {
  return ALL.findLast(([, { takesAddress }]) => takesAddress?.(url))?.[0] ?? "web_article";
}

/** "PDF or EPUB", "PDF and EPUB". */
export function fileNames(join: "or" | "and"): string {
  const type = join === "or" ? "disjunction" : "conjunction";
  return new Intl.ListFormat("en", { type }).format(FILE_TYPES.map(({ name }) => name));
}
