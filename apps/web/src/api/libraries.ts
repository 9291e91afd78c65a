import { request } from "./client";
import type { Library, Schemas } from "./types";

// A sidebar of more pages than this is beyond what anyone can read; it also ends a cursor loop.
const MAX_LIBRARY_PAGES = 20;

/** Every library the person is a member of. */
export async function fetchLibraries(signal: AbortSignal): Promise<Library[]> {
  const libraries: Library[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_LIBRARY_PAGES; page += 1) {
    const answer: Schemas["LibraryList"] = await request("GET", "/api/libraries", {
      query: { cursor },
      signal,
    });
    libraries.push(...answer.libraries);
    cursor = answer.next_cursor;
    if (!cursor) break;
  }
  return libraries;
}

/** Creates a library with the person as its admin. */
export function createLibrary(name: string): Promise<Library> {
  return request<Library>("POST", "/api/libraries", { body: { name } });
}

/** Gives a library another name. */
export function renameLibrary(id: string, name: string): Promise<Library> {
  return request<Library>("PATCH", libraryPath(id), { body: { name } });
}

/** Deletes a library; the items in it stay in their owner's default library. */
export async function deleteLibrary(id: string): Promise<void> {
  await request<void>("DELETE", libraryPath(id));
}

/** Puts an item into a library; does nothing when it is there already. */
export async function addToLibrary(libraryId: string, mediaId: string): Promise<void> {
  await request("POST", `${libraryPath(libraryId)}/media`, { body: { media_id: mediaId } });
}

/** Puts items into a library, at most as many as a page; returns how many were not there before. */
export async function addManyToLibrary(id: string, mediaIds: readonly string[]): Promise<number> {
  const body = { media_ids: mediaIds };
  return (await request<Schemas["AddedOut"]>("POST", `${libraryPath(id)}/media/bulk`, { body }))
    .added;
}

/** The person's libraries that hold an item. */
export async function fetchHoldingLibraries(mediaId: string, signal: AbortSignal) {
  const path = `/api/media/${encodeURIComponent(mediaId)}/libraries`;
  return (await request<Schemas["HoldingLibraries"]>("GET", path, { signal })).library_ids;
}

/** Takes an item out of a library. */
export async function removeFromLibrary(libraryId: string, mediaId: string): Promise<void> {
  await request<void>("DELETE", `${libraryPath(libraryId)}/media/${encodeURIComponent(mediaId)}`);
}

function libraryPath(id: string): string {
  return `/api/libraries/${encodeURIComponent(id)}`;
}
