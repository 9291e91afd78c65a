import { request } from "./client";

export interface Fragment {
  id: string;
  media_id: string;
  html_sanitized: string;
  canonical_text: string;
}

/** The text of an item; it never changes once it is there. */
export async function fetchFragments(id: string, signal: AbortSignal): Promise<Fragment[]> {
  const path = `/api/media/${encodeURIComponent(id)}/fragments`;
  return (await request<{ fragments: Fragment[] }>("GET", path, { signal })).fragments;
}
