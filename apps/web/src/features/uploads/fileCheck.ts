import { LIMITS } from "../../api/schema";
import { FILE_TYPES, fileNames, kindOf } from "../../shared/kinds";

const MIB = 1024 * 1024;

type Checked = { kind: (typeof FILE_TYPES)[number] } | { problem: string };

/** Tells before a byte is sent whether a file can be kept, and if not, why. The server looks inside. */
export function checkFile(file: { name: string; size: number }, only?: string): Checked {
  const kind = FILE_TYPES.find((one) => file.name.toLowerCase().endsWith(`.${one.extension}`));
  if (!kind || (only && kind.kind !== only)) return { problem: wrongType(only) };
  if (file.size === 0) return { problem: "This file is empty." };
  if (file.size > kind.max_bytes) {
    const limit = inMegabytes(kind.max_bytes);
    return { problem: `This file is larger than ${limit}, the limit for ${kind.name} files.` };
  }
  if ([...file.name].length > LIMITS.filename_length) {
    const limit = LIMITS.filename_length;
    return {
      problem: `The file name is longer than ${limit} characters. Rename it and try again.`,
    };
  }
  return { kind };
}

function wrongType(only: string | undefined): string {
  const type = only && kindOf(only).file;
  return type
    ? `This is not a .${type.extension} file.`
    : `Only ${fileNames("and")} files can be uploaded. Files from other apps go to Import, in Settings.`;
}

/** "PDF up to 100 MB, EPUB up to 50 MB". */
export function sizeWords(): string {
  return FILE_TYPES.map((type) => `${type.name} up to ${inMegabytes(type.max_bytes)}`).join(", ");
}

function inMegabytes(bytes: number): string {
  return `${bytes / MIB} MB`;
}
