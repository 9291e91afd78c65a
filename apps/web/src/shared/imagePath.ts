const PROXY = "/media/image?url=";
/** A picture that is stored with a book. */
const STORED = /^\/media\/[0-9a-f-]{36}\/pictures\/[0-9a-f]{64}\.[a-z]{3,4}$/;

/** Where the browser finds an image of the image proxy or of a book; null for any other address. */
export function imagePath(address: string | null | undefined): string | null {
  // The server knows the API's own path; the browser reaches the API under /api.
  return address && (address.startsWith(PROXY) || STORED.test(address)) ? `/api${address}` : null;
}

/** The address an image has on the web. */
function originalOf(address: string): URL | null {
  const encoded = address.startsWith(PROXY) ? address.slice(PROXY.length) : address;
  try {
    return new URL(decodeURIComponent(encoded));
  } catch {
    return null;
  }
}

// What the names of one picture in several sizes differ by: 800x600, 640px, w_1200, @2x, -scaled.
const SIZES =
  /@\d(?:\.\d)?x|(?:^|[-_.,/])(?:\d{2,4}[x×]\d{2,4}|\d{2,4}(?:px|w|h)?|[wh][-_]?\d{2,4}|scaled|thumb(?:nail)?|small|medium|large|original|full)(?=[-_.,/]|$)/g;
const DISTINCT = 6;

/** Whether two addresses are one picture, in whatever size or format, from whatever host. */
export function isSameImage(one: string, other: string): boolean {
  const [a, b] = [originalOf(one), originalOf(other)];
  if (!a || !b) return one === other;
  if (a.host === b.host && a.pathname === b.pathname)
    return a.pathname.length > 1 || a.search === b.search;
  const name = pictureName(a);
  return name.length >= DISTINCT && name === pictureName(b);
}

/** The file name without what tells sizes and formats apart. */
function pictureName({ pathname }: URL): string {
  const file = pathname.split("/").findLast((part) => /\w/.test(part)) ?? "";
  const bare = file.toLowerCase().replace(/(?:\.(?:jpe?g|png|webp|avif|gif))+$/, "");
  return `/${bare}`.replace(SIZES, "").replace(/[-_.,/]+/g, "-");
}
