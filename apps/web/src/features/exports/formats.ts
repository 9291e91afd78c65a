import type { ExportFormat } from "../../api/exports";

export interface FormatWords {
  format: ExportFormat;
  name: string;
  /** What the file is. */
  file: string;
  /** What it is for. */
  use: string;
}

/** What can be exported, the most complete first. */
export const FORMATS: readonly FormatWords[] = [
  {
    format: "nexus",
    name: "Nexus archive",
    file: ".zip",
    use: "Everything: texts, files, highlights, notes, tags, libraries and reading positions. Nexus can import it again without loss.",
  },
  {
    format: "markdown",
    name: "Markdown",
    file: ".zip",
    use: "One file for each item, with its highlights and notes. Made for Obsidian and other note apps.",
  },
  {
    format: "readwise",
    name: "Readwise CSV",
    file: ".csv",
    use: "One row for each highlight. Opens in Readwise and in any spreadsheet.",
  },
  {
    format: "w3c",
    name: "Web Annotations",
    file: ".jsonld",
    use: "Highlights with their quotes and positions, in the W3C standard for annotation tools.",
  },
  {
    format: "bookmarks",
    name: "Bookmarks",
    file: ".html",
    use: "Addresses with titles, dates and tags. Every browser and read-later app imports it.",
  },
];

/** What a format is called. */
export function formatName(format: ExportFormat): string {
  return FORMATS.find((one) => one.format === format)?.name ?? format;
}
