import { request } from "./client";
import type { ListedMedia, Media, MediaKind, Page, ReadingState, Schemas } from "./types";

/** Where the stream of changes is. */
export const EVENTS_PATH = "/api/media/events";

/** In which order items are listed; the last added first unless told otherwise. */
export type Sort = Schemas["MediaSort"];

/** Which items to list. Everything left out does not narrow the list. */
export interface MediaQuery {
  libraryId?: string;
  kind?: string;
  status?: string;
  state?: ReadingState;
  archived?: boolean;
  favourite?: boolean;
  /** Only what has all of them. */
  tags?: readonly string[];
  sort?: Sort;
}

interface ListOptions {
  cursor: string | null;
  limit: number;
  signal: AbortSignal;
}

/** One page of items. */
export async function fetchMediaPage(
  query: MediaQuery,
  { cursor, limit, signal }: ListOptions,
): Promise<Page<ListedMedia>> {
  const { libraryId: library_id, tags: tag, ...rest } = query;
  const answer = await request<Schemas["MediaList"]>("GET", "/api/media", {
    query: { library_id, tag, ...rest, cursor, limit },
    signal,
  });
  return { items: answer.media, nextCursor: answer.next_cursor };
}

/** One item; an id that was merged into another item returns that one. */
export function fetchMedia(id: string, signal?: AbortSignal): Promise<Media> {
  return request<Media>("GET", mediaPath(id), signal ? { signal } : {});
}

export interface Saved {
  mediaId: string;
  /** It was in the person's library already. */
  known: boolean;
}

/** Saves an address: a page that a worker reads later, or a video that plays where it is. */
export async function saveUrl(kind: MediaKind, url: string): Promise<Saved> {
  const answer = await request<Schemas["MediaFromUrlOut"]>("POST", "/api/media/url", {
    body: { kind, url },
  });
  return { mediaId: answer.media_id, known: !answer.created };
}

/** What a person can change about items for themselves. */
export type MineChange = Omit<Schemas["BulkMineRequest"], "media_ids">;

/** Changes items for this person alone, all or none; at most as many as a page. */
export async function changeMine(ids: readonly string[], change: MineChange): Promise<Media[]> {
  const options = { body: { media_ids: ids, ...change }, keepalive: true };
  return (await request<Schemas["MediaItems"]>("PATCH", "/api/media/bulk/mine", options)).media;
}

/** Notes that the person opened an item; it is sent even when the page is being left. */
export async function tellOpened(id: string): Promise<void> {
  await request<void>("POST", `${mediaPath(id)}/opened`, { keepalive: true });
}

/** Takes items out of all of the person's libraries, all or none; at most as many as a page. */
export async function removeMany(ids: readonly string[]): Promise<void> {
  await request<void>("POST", "/api/media/bulk/remove", {
    body: { media_ids: ids },
    keepalive: true,
  });
}

/** Undoes the removal of items, with all that went with them; refused once it is too late. */
export async function restoreMany(ids: readonly string[]): Promise<void> {
  await request("POST", "/api/media/bulk/restore", { body: { media_ids: ids }, keepalive: true });
}

/** Tries a failed item again. */
export async function retryMedia(id: string): Promise<void> {
  await request("POST", `${mediaPath(id)}/retry`);
}

/** Takes an item out of all of the person's libraries. */
export async function removeMedia(id: string): Promise<void> {
  await request<void>("DELETE", mediaPath(id));
}

/** Undoes a removal, with all that went with the item; refused once it is too late. */
export function restoreMedia(id: string): Promise<Media> {
  return request<Media>("POST", `${mediaPath(id)}/restore`);
}

export type FileLink = Schemas["FileUrlOut"];

/** A short-lived link to the original file, and until when it holds. */
export function fetchFileLink(id: string, signal?: AbortSignal): Promise<FileLink> {
  return request("GET", `${mediaPath(id)}/file`, signal ? { signal } : {});
}

/** A short-lived link to the original file. */
export async function fetchFileUrl(id: string): Promise<string> {
  return (await fetchFileLink(id)).url;
}

export type Outline = Schemas["OutlineOut"];

/** The contents and pages of an item. */
export function fetchOutline(id: string, signal: AbortSignal): Promise<Outline> {
  return request("GET", `${mediaPath(id)}/outline`, { signal });
}

export type AnnouncedFile = Schemas["UploadRequest"];
export type UploadTarget = Schemas["UploadTarget"];

/** Announces a file: creates its item and returns where to send the bytes. */
export function initUpload(kind: string, file: AnnouncedFile): Promise<UploadTarget> {
  return request<UploadTarget>("POST", "/api/media/upload/init", { body: { kind, ...file } });
}

/** A new place to send the bytes to, for an item that still waits for them. */
export function renewUpload(id: string, file: AnnouncedFile): Promise<UploadTarget> {
  return request<UploadTarget>("POST", `${mediaPath(id)}/upload`, { body: file });
}

/** Says that the bytes are there; the server checks them. A wrong file is an outcome, no error. */
export function finishUpload(id: string): Promise<Schemas["IngestOut"]> {
  return request<Schemas["IngestOut"]>("POST", `${mediaPath(id)}/ingest`);
}

function mediaPath(id: string): string {
  return `/api/media/${encodeURIComponent(id)}`;
}
