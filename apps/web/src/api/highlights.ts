import { request } from "./client";
import type { Page, Schemas } from "./types";

export type Annotation = Schemas["AnnotationOut"];
export type Highlight = Schemas["HighlightOut"];
export type HighlightOfMedia = Schemas["HighlightOfMedia"];
/** A passage in code points of the canonical text, with the text that must be there. */
export type HighlightSpan = Omit<NewHighlight, "id" | "color">;
type NewHighlight = Schemas["CreateHighlightRequest"];

/** The person's highlights of one item, in reading order. */
export async function fetchMediaHighlights(id: string, signal?: AbortSignal): Promise<Highlight[]> {
  const path = `/api/media/${encodeURIComponent(id)}/highlights`;
  const options = signal ? { signal } : {};
  return (await request<Schemas["HighlightList"]>("GET", path, options)).highlights;
}

/** What a list of highlights is narrowed to, in the words of the API. */
export interface HighlightQuery {
  q?: string | null;
  color?: readonly string[];
  tag?: readonly string[];
  highlight_id?: string | null;
  media_id?: string | null;
  library_id?: string | null;
  after?: string | null;
  before?: string | null;
}

/** One page of the person's highlights, the newest first. */
export async function fetchAllHighlights(
  wanted: HighlightQuery,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<HighlightOfMedia>> {
  const list = await request<Schemas["HighlightOfMediaList"]>("GET", "/api/highlights", {
    query: { ...wanted, cursor, limit: 50 },
    signal,
  });
  return { items: list.highlights, nextCursor: list.next_cursor };
}

export type CopyFormat = "markdown" | "text";

/** The same highlights with their notes and sources, ready to be pasted elsewhere. */
export async function fetchHighlightsToCopy(
  wanted: HighlightQuery,
  format: CopyFormat,
): Promise<{ text: string; count: number }> {
  const query = { ...wanted, format };
  const copied = await request<Schemas["CopiedHighlights"]>("GET", "/api/highlights/markdown", {
    query,
  });
  return { text: copied.markdown, count: copied.count };
}

/** Highlights a passage. Sent again with the same id, it creates nothing else. */
export function createHighlight(
  fragmentId: string,
  body: NewHighlight & { id: string },
): Promise<Highlight> {
  const path = `/api/fragments/${encodeURIComponent(fragmentId)}/highlights`;
  return request<Highlight>("POST", path, { body });
}

/** Gives a highlight another colour or another passage. */
export function updateHighlight(
  id: string,
  changes: Schemas["UpdateHighlightRequest"],
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
