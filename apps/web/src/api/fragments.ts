import { request } from "./client";
import type { Schemas } from "./types";

export type Fragment = Schemas["FragmentOut"];
export type ImageSize = Schemas["ImageSizeOut"];

/** The text of an item; it never changes once it is there. */
export async function fetchFragments(id: string, signal: AbortSignal): Promise<Fragment[]> {
  const path = `/api/media/${encodeURIComponent(id)}/fragments`;
  return (await request<Schemas["FragmentList"]>("GET", path, { signal })).fragments;
}

/** One fragment of an item; it never changes. */
export function fetchFragment(id: string, signal?: AbortSignal): Promise<Fragment> {
  return request("GET", `/api/fragments/${encodeURIComponent(id)}`, signal ? { signal } : {});
}
