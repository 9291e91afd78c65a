export interface ContentsEntry {
  readonly heading: HTMLElement;
  readonly text: string;
  /** 0 for the highest level the article uses. */
  readonly depth: number;
}

const MAX_DEPTH = 2;

/** The article's headings, as a table of contents. */
export function contentsOf(root: HTMLElement): ContentsEntry[] {
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
