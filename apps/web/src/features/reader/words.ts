import { originalUrl } from "../../shared/originalUrl";

/** The address of the original page, when it is one that can be opened. */
export function originalAddress(media: Parameters<typeof originalUrl>[0]): URL | null {
  const address = originalUrl(media);
  return address === null ? null : new URL(address);
}
