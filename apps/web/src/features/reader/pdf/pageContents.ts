import type { Outline } from "../../../api/media";
import { type Contents, type ContentsEntry, READING_LINE } from "../text/contents";

interface PlacedEntry extends ContentsEntry {
  readonly offset: number;
}

/** What following the contents needs of a text. */
interface Scrolled {
  offsetBelow(y: number): number | null;
  scrollTo(offset: number, top: number): void;
}

const MAX_DEPTH = 2;
const MAX_ENTRIES = 2_000;
const SETTLED_MS = 150;
/** Where a chapter begins when one goes to it. */
const LANDING_LINE = 80;

/** The outline of a document as its contents. */
export class PageContents implements Contents {
  readonly entries: readonly PlacedEntry[];

  constructor(
    outline: Outline | null,
    private readonly text: Scrolled,
  ) {
    this.entries = flat(outline?.contents ?? [], 0).slice(0, MAX_ENTRIES);
  }

  goTo(entry: ContentsEntry): void {
    const found = this.entries.find((one) => one === entry);
    if (found) this.text.scrollTo(found.offset, LANDING_LINE);
  }

  follow(onCurrent: (entry: ContentsEntry | null) => void): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const find = () => {
      const here = this.text.offsetBelow(READING_LINE) ?? 0;
      onCurrent(this.entries.findLast(({ offset }) => offset <= here) ?? null);
    };
    const onScroll = () => {
      clearTimeout(timer);
      timer = setTimeout(find, SETTLED_MS);
    };
    onScroll();
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener("scroll", onScroll);
    };
  }
}

function flat(entries: Outline["contents"], depth: number): PlacedEntry[] {
  if (depth > MAX_DEPTH) return [];
  return entries.flatMap(({ label, offset, children }) => [
    { text: label, depth, offset },
    ...flat(children, depth + 1),
  ]);
}
