import { paths } from "./paths";

// Only used to resolve addresses against; nothing is ever fetched from it.
const BASE = "http://app.invalid";
// A path that resolves to "//host" would be read as another site.
const NOT_PLACES = /^\/(\/|(login|signup|auth|api|storage)(\/|$))/;

/**
 * The place to go to after signing in, from a `next` anyone may have put in the address.
 * Only a view of this app is accepted: another site, or the sign-in view itself, becomes home.
 */
export function safePlace(next: string | null | undefined): string {
  if (!next?.startsWith("/")) return paths.home;
  const url = parse(next);
  if (!url || url.origin !== BASE || NOT_PLACES.test(url.pathname)) return paths.home;
  return url.pathname + url.search + url.hash;
}

function parse(next: string): URL | null {
  try {
    return new URL(next, BASE);
  } catch {
    return null;
  }
}

/** Adds the place to come back to, unless it is where people land anyway. */
export function withReturn(path: string, place: string): string {
  const safe = safePlace(place);
  return safe === paths.home ? path : `${path}?next=${encodeURIComponent(safe)}`;
}

/** The place to come back to, from the query string of the sign-in view. */
export function placeFromSearch(search: string): string {
  return safePlace(new URLSearchParams(search).get("next"));
}

/** Where the person is now, with query and fragment. */
export function currentPlace(): string {
  return window.location.pathname + window.location.search + window.location.hash;
}
