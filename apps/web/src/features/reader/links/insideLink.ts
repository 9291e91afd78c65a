/** Links to another place of the same document. The server writes them as `#offset-0-1234`. */

const ADDRESS = /^#offset-(\d{1,9})-(\d{1,9})$/;

/** The place an address leads to: which fragment, and the offset in its text. */
export interface InsideTarget {
  readonly fragment: number;
  readonly offset: number;
}

export function insideTarget(address: string | null): InsideTarget | null {
  const [, fragment, offset] = ADDRESS.exec(address ?? "") ?? [];
  return fragment && offset ? { fragment: Number(fragment), offset: Number(offset) } : null;
}

/** Where a link leads to in the same document; null for one that leads elsewhere. */
export function targetOf(link: Element): InsideTarget | null {
  return insideTarget(link.getAttribute("href"));
}

/** The link to the same document that something is in. */
export function insideLinkAt(target: EventTarget | null): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
}
