import { request } from "./client";
import type { Library, Media, Page } from "./types";

// A sidebar of more pages than this is beyond what anyone can read; it also ends a cursor loop.
const MAX_LIBRARY_PAGES = 20;

interface LibraryPage {
  libraries: Library[];
  next_cursor: string | null;
}

interface MediaPage {
  media: Media[];
  next_cursor: string | null;
}

/** Every library the person is a member of. */
export async function fetchLibraries(signal: AbortSignal): Promise<Library[]> {
  const libraries: Library[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_LIBRARY_PAGES; page += 1) {
    const answer: LibraryPage = await request("GET", "/api/libraries", {
      query: { cursor },
      signal,
    });
    libraries.push(...answer.libraries);
    cursor = answer.next_cursor;
    if (!cursor) break;
  }
  return libraries;
}

/** Makes a library with the person as its admin. */
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

/** One page of a library's items, newest first. */
export async function fetchLibraryMedia(
  id: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<Media>> {
  const path = `${libraryPath(id)}/media`;
  const answer = await request<MediaPage>("GET", path, { query: { cursor }, signal });
  return { items: answer.media, nextCursor: answer.next_cursor };
}

function libraryPath(id: string): string {
  return `/api/libraries/${encodeURIComponent(id)}`;
}
