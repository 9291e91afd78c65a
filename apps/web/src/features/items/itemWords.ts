import { LIMITS } from "../../api/schema";
import type { Media } from "../../api/types";
import { kindOf } from "../../shared/kinds";
import { isWebAddress, originalUrl } from "../../shared/originalUrl";

/**
 * How far an item is, as the reader sees it. "ready" is only what opens in Nexus itself; "stored"
 * is a file to download, "elsewhere" a video on its own site.
 */
export type ItemState =
  | "waiting"
  | "reading"
  | "no-file"
  | "stored"
  | "elsewhere"
  | "ready"
  | "failed";

/** What the kind of item is called. */
export function kindWords(kind: string): string {
  return kindOf(kind).name;
}

type FromSite = Parameters<typeof originalUrl>[0] & Pick<Media, "site_name">;

/** The site as it calls itself, or the host people know it by; null for files. */
export function siteName(media: FromSite): string | null {
  return media.site_name?.trim() || hostOf(originalUrl(media));
}

/** The host of an address as people know it, without "www.". */
export function hostOf(address: string | null): string | null {
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

/** Can it be read in Nexus itself? */
export function readsHere(media: Media): boolean {
  return media.capabilities.can_read && kindOf(media.kind).loadReader !== undefined;
}

/** Can it be played in Nexus itself? Only the player of YouTube is let in. */
export function playsHere(media: Media): boolean {
  if (!media.capabilities.can_play || !kindOf(media.kind).plays) return false;
  return media.provider === "youtube" && !!media.provider_id;
}

/** Where a video plays that does not play here; null when there is no such place. */
export function playbackUrl(media: Media): string | null {
  const address = media.external_playback_url;
  if (!media.capabilities.can_play || playsHere(media) || !address) return null;
  return isWebAddress(address) ? address : null;
}

/** What can be done decides; the raw status only tells why nothing can be done yet. */
export function itemState(media: Media): ItemState {
  if (readsHere(media) || playsHere(media)) return "ready";
  if (playbackUrl(media)) return "elsewhere";
  if (media.processing_status === "failed") return "failed";
  if (media.capabilities.can_download_file) return isBeingRead(media) ? "reading" : "stored";
  if (kindOf(media.kind).file) return "no-file";
  return media.processing_status === "extracting" ? "reading" : "waiting";
}

/** Whether the text of a file that opens here is on its way. */
function isBeingRead({ kind, processing_status: status }: Media): boolean {
  return kindOf(kind).loadReader !== undefined && (status === "pending" || status === "extracting");
}

/** The state in words. */
export function stateWords(media: Media): string {
  switch (itemState(media)) {
    case "ready":
      return "Ready";
    case "stored":
      return "Stored";
    case "elsewhere":
      return `Opens on ${hostOf(playbackUrl(media)) ?? "its own site"}`;
    case "no-file":
      return "Waiting for its file";
    case "reading":
      return kindOf(media.kind).working ?? "Processing…";
    case "failed":
      return `Could not be read: ${failureReason(media)}`;
    case "waiting":
      return "Waiting";
  }
}

function failureReason(media: Media): string {
  const reason = media.last_error_message?.trim();
  return reason ? reason.replace(/[.\s]*$/, ".") : "The reason is unknown.";
}

/** What comes next, or what to do with an item that does not open here; null when it is plain. */
export function whatNow(media: Media): string | null {
  switch (itemState(media)) {
    case "waiting":
    case "reading":
      return "This page will update when it is ready.";
    case "stored":
      return `Nexus keeps the file, but cannot show ${fileWords(media.kind)} yet. Download it to read it in another app.`;
    case "elsewhere":
      return "Nexus keeps the link. The video plays on its own site.";
    default:
      return null;
  }
}

function fileWords(kind: string): string {
  const { file } = kindOf(kind);
  return file ? `${file.name}s` : "this kind of file";
}

/** What a person can do about an item that cannot be read. */
export type Remedy = "retry" | "save-again" | "upload" | null;

/** The one thing worth offering, so that no button leads to a refusal. */
export function remedyFor(media: Media): Remedy {
  const state = itemState(media);
  if (state === "no-file") return "upload";
  if (state !== "failed") return null;
  if (kindOf(media.kind).file && media.failure_stage === "upload") return "upload";
  if (media.can_retry) return "retry";
  return usedUp(media) && originalUrl(media) ? "save-again" : null;
}

/** The server refuses one more try of the same item; its address can still be saved again. */
function usedUp(media: Media): boolean {
  return media.processing_attempts >= LIMITS.attempts;
}
