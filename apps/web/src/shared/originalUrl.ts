import type { Media } from "../api/types";

type Addresses = Pick<Media, "canonical_url" | "canonical_source_url" | "requested_url">;

/** The page or video an item was saved from; null for files and for what came with Nexus. */
export function originalUrl(media: Addresses): string | null {
  const addresses = [media.canonical_url, media.canonical_source_url, media.requested_url];
  return addresses.find((address) => address && isWebAddress(address)) ?? null;
}

/** Is it an address that may be linked to? */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
