import { request } from "./client";
import type { Media } from "./types";

/** What the reader needs of an item beyond a list row. */
export interface MediaDetail extends Media {
  canonical_source_url: string | null;
  external_playback_url: string | null;
  capabilities: { can_read: boolean; can_highlight: boolean };
  /** The id asked for was merged into this item. */
  duplicate: boolean;
}

export interface Fragment {
  id: string;
  media_id: string;
  html_sanitized: string;
  canonical_text: string;
}

/** One saved item. An item that was merged into another answers the other one. */
export function fetchMedia(id: string, signal: AbortSignal): Promise<MediaDetail> {
  return request<MediaDetail>("GET", mediaPath(id), { signal });
}

/** The text of an item; it never changes once it is there. */
export async function fetchFragments(id: string, signal: AbortSignal): Promise<Fragment[]> {
  const path = `${mediaPath(id)}/fragments`;
  return (await request<{ fragments: Fragment[] }>("GET", path, { signal })).fragments;
}

/** Asks for a failed item to be fetched again. */
export async function retryMedia(id: string): Promise<void> {
  await request("POST", `${mediaPath(id)}/retry`);
}

function mediaPath(id: string): string {
  return `/api/media/${encodeURIComponent(id)}`;
}
