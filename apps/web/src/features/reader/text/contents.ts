export interface ContentsEntry {
  readonly text: string;
  /** 0 for the highest level the text uses. */
  readonly depth: number;
  /** Where it begins, if that is known without looking at the page. */
  readonly offset?: number;
}

/** A table of contents that can be followed. */
export interface Contents {
  readonly entries: readonly ContentsEntry[];
  goTo(entry: ContentsEntry): void;
  /** Tells which entry is being read, now and whenever that changes. Returns how to stop it. */
  follow(onCurrent: (entry: ContentsEntry | null) => void): () => void;
}

interface HeadingEntry extends ContentsEntry {
  readonly heading: HTMLElement;
}

const MAX_DEPTH = 2;
/** What stands above this height of the window is read. */
export const READING_LINE = 120;

/** The headings of an article as its contents. */
export function headingContents(root: HTMLElement): Contents {
  let found: readonly HeadingEntry[] | null = null;
  const headings = () => {
    found ??= contentsOf(root);
    return found;
  };
  return {
    get entries() {
      return headings();
    },
    goTo: (entry) => {
      const heading = headings().find((one) => one === entry)?.heading;
      heading?.scrollIntoView({ block: "start" });
    },
    follow: (onCurrent) => followHeadings(headings(), onCurrent),
  };
}

/** The last heading above the reading line. Headings tell when they cross it; nobody polls. */
function followHeadings(
  entries: readonly HeadingEntry[],
  onCurrent: (entry: ContentsEntry | null) => void,
): () => void {
  const find = () => {
    const above = entries.filter(
      ({ heading }) => heading.getBoundingClientRect().top < READING_LINE,
    );
    onCurrent(above.at(-1) ?? null);
  };
  const observer = new IntersectionObserver(find, { rootMargin: `-${READING_LINE}px 0px 0px` });
  for (const { heading } of entries) observer.observe(heading);
  return () => observer.disconnect();
}

/** The article's headings, as a table of contents. */
export function contentsOf(root: HTMLElement): HeadingEntry[] {
  const headings = [...root.querySelectorAll<HTMLElement>("h1, h2, h3, h4, h5, h6")].filter(
    (heading) => heading.textContent.trim() !== "",
  );
  const levels = [...new Set(headings.map(levelOf))].sort();
  return headings
    .map((heading) => ({
      heading,
      text: heading.textContent.replace(/\s+/g, " ").trim(),
      depth: levels.indexOf(levelOf(heading)),
    }))
    .filter(({ depth }) => depth <= MAX_DEPTH);
}

function levelOf(heading: HTMLElement): number {
  return Number(heading.localName.slice(1));
}
