import type { Media } from "../../api/types";

const KINDS: Record<string, string> = {
  web_article: "Article",
  pdf: "PDF",
  epub: "Book",
  video: "Video",
  podcast_episode: "Podcast",
};

// The server refuses a fourth try of the same item; its address can still be saved anew.
const MAX_ATTEMPTS = 3;

/** How far an item is, as the reader sees it. */
export type ItemState = "waiting" | "reading" | "no-file" | "stored" | "ready" | "failed";

/** What the kind of item is called; a kind this page does not know is just an item. */
export function kindWords(kind: string): string {
  return KINDS[kind] ?? "Item";
}

/** Is it one of the kinds that are uploaded? */
export function isFileKind(kind: string): boolean {
  return kind === "pdf" || kind === "epub";
}

/** The page or video an item was saved from; null for files and for what came with Nexus. */
export function originalUrl(media: Media): string | null {
  const addresses = [media.canonical_url, media.canonical_source_url, media.requested_url];
  return addresses.find((address) => address && /^https?:\/\//i.test(address)) ?? null;
}

/** The host people know a page by, without "www."; null for files. */
export function siteName(media: Media): string | null {
  const address = originalUrl(media);
  if (!address || !URL.canParse(address)) return null;
  return new URL(address).hostname.replace(/^www\./, "") || null;
}

/** The title, or the address until the title is known. Never blank. */
export function shownTitle(media: Media): string {
  return shownAddress(media.title?.trim() || originalUrl(media) || "Untitled");
}

/** An address without what all of them begin with; any other text as it is. */
export function shownAddress(text: string): string {
  return text.replace(/^https?:\/\/(www\.)?(?=\S+$)/i, "");
}

/** What can be done decides; the raw status only tells why nothing can be done yet. */
export function itemState(media: Media): ItemState {
  const { can_read, can_play, can_download_file } = media.capabilities;
  if (can_read || can_play) return "ready";
  if (media.processing_status === "failed") return "failed";
  if (can_download_file) return "stored";
  if (isFileKind(media.kind)) return "no-file";
  return media.processing_status === "extracting" ? "reading" : "waiting";
}

/** The state in words. */
export function stateWords(media: Media): string {
  switch (itemState(media)) {
    case "ready":
      return "Ready";
    case "stored":
      return "Kept as a file";
    case "no-file":
      return "Waiting for its file";
    case "reading":
      return media.kind === "web_article" ? "Reading the page…" : "Reading it…";
    case "failed":
      return `Could not be read: ${failureReason(media)}`;
    case "waiting":
      return "Waiting";
  }
}

function failureReason(media: Media): string {
  const reason = media.last_error_message?.trim();
  return reason ? reason.replace(/[.\s]*$/, ".") : "Nexus does not know why.";
}

/** What a person can do about an item that cannot be read. */
export type Remedy = "retry" | "save-again" | "upload" | null;

/** The one thing worth offering, so that no button leads to a refusal. */
export function remedyFor(media: Media): Remedy {
  const state = itemState(media);
  if (state === "no-file") return "upload";
  if (state !== "failed") return null;
  if (isFileKind(media.kind) && media.failure_stage === "upload") return "upload";
  if (media.processing_attempts < MAX_ATTEMPTS) return "retry";
  return originalUrl(media) ? "save-again" : null;
}
