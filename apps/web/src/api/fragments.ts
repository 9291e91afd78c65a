import { request } from "./client";
import type { Schemas } from "./types";

export type Fragment = Schemas["FragmentOut"];
export type ImageSize = Schemas["ImageSizeOut"];

/** The first fragment of an item, which is all of it unless it is a book; empty before it is read. */
export async function fetchFirstFragment(id: string, signal: AbortSignal): Promise<Fragment[]> {
  const path = `/api/media/${encodeURIComponent(id)}/fragments`;
  const options = { query: { limit: 1 }, signal };
  return (await request<Schemas["FragmentList"]>("GET", path, options)).fragments;
}

/** One fragment of an item; it never changes. */
export function fetchFragment(id: string, signal?: AbortSignal): Promise<Fragment> {
  return request("GET", `/api/fragments/${encodeURIComponent(id)}`, signal ? { signal } : {});
}
