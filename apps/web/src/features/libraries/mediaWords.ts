import type { Media } from "../../api/types";

const KINDS: Record<string, string> = {
  web_article: "Article",
  pdf: "PDF",
  epub: "Book",
  video: "Video",
  podcast_episode: "Podcast",
};

/** What the kind of item is called; a kind this page does not know is just an item. */
export function kindWords(kind: string): string {
  return KINDS[kind] ?? "Item";
}

/** The host people know a page by, without "www."; null for files. */
export function siteName(media: Media): string | null {
  const address = media.canonical_url ?? media.requested_url;
  if (!address || !URL.canParse(address)) return null;
  return new URL(address).hostname.replace(/^www\./, "") || null;
}

/** The title, or the address until the title is known. Never blank. */
export function shownTitle(media: Media): string {
  return media.title?.trim() || media.canonical_url || media.requested_url || "Untitled";
}

/** The state of an item that cannot be read yet; null for one that can. */
export function stateWords(media: Media): string | null {
  if (media.processing_status === "pending") return "Waiting its turn";
  if (media.processing_status === "extracting") return "Fetching the page";
  if (media.processing_status === "failed") {
    return media.last_error_message || "This could not be saved";
  }
  return null;
}
