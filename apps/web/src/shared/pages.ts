import type { Schemas } from "../api/types";

export type PageOfText = Schemas["PageOfText"];
type Outline = Pick<Schemas["OutlineOut"], "fragments" | "pages">;
type Placed = Pick<Schemas["HighlightOut"], "fragment_id" | "start_offset" | "end_offset">;

/** The page on which a passage begins, and the one on which it ends if that is another. */
export interface PassagePages {
  page: PageOfText | null;
  end_page: PageOfText | null;
}

/** Where a passage is, as one cites it: "p. xii", "pp. 12–13"; null where there are no pages. */
export function pageWords({ page, end_page }: PassagePages): string | null {
  if (!page) return null;
  return end_page ? `pp. ${labelOf(page)}–${labelOf(end_page)}` : `p. ${labelOf(page)}`;
}

/** The same to be spoken: "page xii", "pages 12 to 13". */
export function spokenPageWords({ page, end_page }: PassagePages): string | null {
  if (!page) return null;
  return end_page ? `pages ${labelOf(page)} to ${labelOf(end_page)}` : `page ${labelOf(page)}`;
}

/** What a page is called: by its label, or by its number where it has none. */
export function labelOf({ number, label }: PageOfText): string {
  return label.trim() || String(number);
}

/** The pages of a document, by the place where each begins. The same rule as the server's. */
export class PageIndex {
  readonly pages: Outline["pages"];
  private readonly parts: ReadonlyMap<string, number>;

  constructor({ fragments, pages }: Outline) {
    this.pages = pages;
    this.parts = new Map(fragments.map(({ id, idx }) => [id, idx]));
  }

  /** The page at an offset; of pages that begin at the same place, all but the last are empty. */
  at(fragmentId: string, offset: number): Outline["pages"][number] | null {
    const part = this.parts.get(fragmentId);
    if (part === undefined) return null;
    let low = 0;
    let high = this.pages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.beginsBefore(middle, part, offset)) low = middle + 1;
      else high = middle;
    }
    return this.pages[low - 1] ?? null;
  }

  /** The pages of a highlight. */
  of({ fragment_id, start_offset, end_offset }: Placed): PassagePages {
    const page = this.at(fragment_id, start_offset);
    const end = this.at(fragment_id, end_offset - 1);
    return { page, end_page: end === page ? null : end };
  }

  private beginsBefore(index: number, part: number, offset: number): boolean {
    const page = this.pages[index];
    const itsPart = page && this.parts.get(page.fragment_id ?? "");
    if (!page || itsPart === undefined) return true;
    return itsPart < part || (itsPart === part && page.offset <= offset);
  }
}
