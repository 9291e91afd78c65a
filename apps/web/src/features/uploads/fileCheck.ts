const MIB = 1024 * 1024;
const MAX_NAME_LENGTH = 255;

export interface FileKind {
  kind: "pdf" | "epub";
  name: string;
  contentType: string;
  maxBytes: number;
}

// The server's own limits; it checks again, and looks inside the file.
const KINDS: readonly FileKind[] = [
  { kind: "pdf", name: "PDF", contentType: "application/pdf", maxBytes: 100 * MIB },
  { kind: "epub", name: "EPUB", contentType: "application/epub+zip", maxBytes: 50 * MIB },
];

/** What the file chooser offers. */
export const ACCEPTED_FILES = ".pdf,.epub,application/pdf,application/epub+zip";

type Checked = { kind: FileKind } | { problem: string };

/** Tells before a byte is sent whether a file can be kept, and if not, why. */
export function checkFile(file: { name: string; size: number }, only?: string): Checked {
  const kind = KINDS.find((one) => file.name.toLowerCase().endsWith(`.${one.kind}`));
  if (!kind || (only && kind.kind !== only)) {
    return {
      problem: only ? `This is not a .${only} file.` : "Only PDF and EPUB files can be kept.",
    };
  }
  if (file.size === 0) return { problem: "This file is empty." };
  if (file.size > kind.maxBytes) {
    const limit = kind.maxBytes / MIB;
    return { problem: `This file is larger than ${limit} MB, the most for ${kind.name} files.` };
  }
  if ([...file.name].length > MAX_NAME_LENGTH) {
    return { problem: `Its name is longer than ${MAX_NAME_LENGTH} characters. Rename it first.` };
  }
  return { kind };
}
