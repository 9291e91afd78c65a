import { request } from "./client";
import type { Schemas } from "./types";

export type Fragment = Schemas["FragmentOut"];
export type ImageSize = Schemas["ImageSizeOut"];

export type Outline = Schemas["OutlineOut"];

/** The parts of an item, its table of contents and its pages, without the text. */
export function fetchOutline(id: string, signal: AbortSignal): Promise<Outline> {
  return request<Outline>("GET", `/api/media/${encodeURIComponent(id)}/outline`, { signal });
}

/** The text of an item; it never changes once it is there. */
export async function fetchFragments(id: string, signal: AbortSignal): Promise<Fragment[]> {
  const path = `/api/media/${encodeURIComponent(id)}/fragments`;
  return (await request<Schemas["FragmentList"]>("GET", path, { signal })).fragments;
}
