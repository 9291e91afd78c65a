import { request } from "./client";
import type { Schemas } from "./types";

export type KeptPreferences = Schemas["PreferencesOut"];
/** The offset is in code points of the canonical text. */
export type KeptPosition = Schemas["PositionOut"];

/** How the person likes to read; null until they chose something. */
export function fetchPreferences(signal?: AbortSignal): Promise<KeptPreferences | null> {
  return request("GET", "/api/me/preferences", signal ? { signal } : {});
}

/** Keeps a choice; returns the one that holds now, which may be a newer one. */
export function putPreferences(preferences: KeptPreferences): Promise<KeptPreferences> {
  return request("PUT", "/api/me/preferences", { body: preferences });
}

/** All that is needed to open an item. */
export type Opening = Schemas["OpeningOut"];

/** All that opens an item; its text only for those who do not have it. */
export function fetchOpening(id: string, text: boolean, signal: AbortSignal): Promise<Opening> {
  const path = `/api/media/${encodeURIComponent(id)}/reading`;
  return request("GET", path, { signal, ...(!text && { query: { text } }) });
}

/** Where the person was last in an item, on whatever device. */
export function fetchPosition(mediaId: string, signal: AbortSignal): Promise<KeptPosition | null> {
  return request("GET", positionPath(mediaId), { signal });
}

/** A place, and up to where the same fragment has been on the screen. */
export type SeenPosition = Schemas["PositionRequest"];

/** Keeps a place; it is sent even when the page is being left. */
export function putPosition(mediaId: string, position: SeenPosition): Promise<KeptPosition> {
  return request("PUT", positionPath(mediaId), { body: position, keepalive: true });
}

function positionPath(mediaId: string): string {
  return `/api/media/${encodeURIComponent(mediaId)}/position`;
}
