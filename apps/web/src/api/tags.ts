import { request } from "./client";
import type { Schemas, Tag } from "./types";

/** The person's tags, by name. */
export async function fetchTags(signal: AbortSignal): Promise<Tag[]> {
  return (await request<Schemas["TagList"]>("GET", "/api/tags", { signal })).tags;
}

/** Gives a tag another name; a name that another tag has already makes one of the two. */
export function renameTag(name: string, newName: string): Promise<Tag> {
  return request<Tag>("PATCH", tagPath(name), { body: { name: newName } });
}

/** Takes a tag off all items. */
export async function deleteTag(name: string): Promise<void> {
  await request<void>("DELETE", tagPath(name));
}

function tagPath(name: string): string {
  return `/api/tags/${encodeURIComponent(name)}`;
}
