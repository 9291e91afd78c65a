import { request } from "./client";
import type { Page } from "./types";

export interface Annotation {
  id: string;
  body: string;
  updated_at: string;
}

/** A passage in code points of the canonical text, with the text that must be there. */
export interface HighlightSpan {
  start_offset: number;
  end_offset: number;
  exact: string;
  prefix: string;
  suffix: string;
}

export interface Highlight extends HighlightSpan {
  id: string;
  fragment_id: string;
  color: string;
  created_at: string;
  updated_at: string;
  annotation: Annotation | null;
}

export interface HighlightOfMedia extends Highlight {
  media_id: string;
  media_title: string;
}

/** The person's highlights of one item, in reading order. */
export async function fetchMediaHighlights(id: string, signal?: AbortSignal): Promise<Highlight[]> {
  const path = `/api/media/${encodeURIComponent(id)}/highlights`;
  const options = signal ? { signal } : {};
  return (await request<{ highlights: Highlight[] }>("GET", path, options)).highlights;
}

/** One page of all of the person's highlights, the newest first. */
export async function fetchAllHighlights(
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<HighlightOfMedia>> {
  const answer = await request<{ highlights: HighlightOfMedia[]; next_cursor: string | null }>(
    "GET",
    "/api/highlights",
    { query: { cursor, limit: 50 }, signal },
  );
  return { items: answer.highlights, nextCursor: answer.next_cursor };
}

/** Highlights a passage. */
export function createHighlight(
  fragmentId: string,
  body: HighlightSpan & { color: string },
): Promise<Highlight> {
  const path = `/api/fragments/${encodeURIComponent(fragmentId)}/highlights`;
  return request<Highlight>("POST", path, { body });
}

/** Gives a highlight another colour or another passage. */
export function updateHighlight(
  id: string,
  changes: Partial<HighlightSpan & { color: string }>,
): Promise<Highlight> {
  return request<Highlight>("PATCH", highlightPath(id), { body: changes });
}

/** Deletes a highlight and its note; `restoreHighlight` undoes it for half a minute. */
export async function deleteHighlight(id: string): Promise<void> {
  await request<void>("DELETE", highlightPath(id));
}

/** Brings back a highlight that was just deleted. */
export function restoreHighlight(id: string): Promise<Highlight> {
  return request<Highlight>("POST", `${highlightPath(id)}/restore`);
}

/** Writes the note of a highlight. */
export function putAnnotation(id: string, body: string): Promise<Annotation> {
  return request<Annotation>("PUT", `${highlightPath(id)}/annotation`, { body: { body } });
}

/** Removes the note of a highlight. */
export async function deleteAnnotation(id: string): Promise<void> {
  await request<void>("DELETE", `${highlightPath(id)}/annotation`);
}

function highlightPath(id: string): string {
  return `/api/highlights/${encodeURIComponent(id)}`;
}
