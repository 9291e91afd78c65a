import { request } from "./client";

/** Room for an image: its size in pixels, by the `src` it has in the text. */
export interface ImageSize {
  src: string;
  width: number;
  height: number;
}

export interface Fragment {
  id: string;
  media_id: string;
  html_sanitized: string;
  canonical_text: string;
  /** The images whose size is known. */
  images: readonly ImageSize[];
}

/** The text of an item; it never changes once it is there. */
export async function fetchFragments(id: string, signal: AbortSignal): Promise<Fragment[]> {
  const path = `/api/media/${encodeURIComponent(id)}/fragments`;
  return (await request<{ fragments: Fragment[] }>("GET", path, { signal })).fragments;
}
