import type { Outline } from "../../../api/media";
import { type Contents, type ContentsEntry, READING_LINE } from "./contents";

type Entry = Outline["contents"][number];

export interface PlacedEntry extends ContentsEntry {
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
export class OutlineContents implements Contents {
  readonly entries: readonly PlacedEntry[];

  constructor(
    outline: Outline | null,
    private readonly text: Scrolled,
    offsetOf: (entry: Entry) => number | null = ({ offset }) => offset,
  ) {
    this.entries = flat(outline?.contents ?? [], 0, offsetOf).slice(0, MAX_ENTRIES);
  }

  /** The entry that an offset belongs to. */
  at(offset: number): PlacedEntry | null {
    return this.entries.findLast((one) => one.offset <= offset) ?? null;
  }

  goTo(entry: ContentsEntry): void {
    const found = this.entries.find((one) => one === entry);
    if (found) this.text.scrollTo(found.offset, LANDING_LINE);
  }

  follow(onCurrent: (entry: ContentsEntry | null) => void): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const find = () => {
      const here = this.text.offsetBelow(READING_LINE) ?? 0;
      onCurrent(this.at(here));
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

function flat(
  entries: readonly Entry[],
  depth: number,
  offsetOf: (entry: Entry) => number | null,
): PlacedEntry[] {
  if (depth > MAX_DEPTH) return [];
  return entries.flatMap((entry) => {
    const offset = offsetOf(entry);
    const here = offset === null ? [] : [{ text: entry.label, depth, offset }];
    return [...here, ...flat(entry.children, depth + 1, offsetOf)];
  });
}
