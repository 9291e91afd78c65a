import { request } from "./client";
import type { Highlight, HighlightSpan } from "./highlights";
import type { Schemas } from "./types";

/** A highlight from elsewhere that has no place in the text, or not yet. */
export type Unplaced = Schemas["UnplacedOut"];

/** What the person brought along for an item and has no place in its text. */
export async function fetchUnplaced(mediaId: string, signal: AbortSignal): Promise<Unplaced[]> {
  const path = `/api/media/${encodeURIComponent(mediaId)}/unplaced`;
  return (await request<Schemas["UnplacedList"]>("GET", path, { signal })).unplaced;
}

export type ChosenPlace = HighlightSpan & Pick<Highlight, "color"> & { fragment_id: string };

/** Makes it a highlight of the passage that the person chose. */
export function placeUnplaced(id: string, place: ChosenPlace): Promise<Highlight> {
  return request("POST", `${unplacedPath(id)}/place`, { body: place });
}

/** Deletes it with its note; `restoreUnplaced` undoes it for a while. */
export async function deleteUnplaced(id: string): Promise<void> {
  await request<void>("DELETE", unplacedPath(id));
}

/** Brings back one that was just deleted. */
export function restoreUnplaced(id: string): Promise<Unplaced> {
  return request("POST", `${unplacedPath(id)}/restore`);
}

function unplacedPath(id: string): string {
  return `/api/unplaced/${encodeURIComponent(id)}`;
}
