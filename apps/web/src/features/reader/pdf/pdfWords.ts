import { ApiError } from "../../../api/errors";
import { errorWords } from "../../../api/errorWords";
import type { Media } from "../../../api/types";
import { FileGone } from "./fileRanges";

type Marked = Pick<Media, "capabilities" | "processing_status" | "last_error_message">;

/** Why nothing can be highlighted in a PDF that opens; null where something can. */
export function noHighlightWords(media: Marked): string | null {
  if (media.capabilities.can_highlight) return null;
  switch (media.processing_status) {
    case "pending":
    case "extracting":
      return "You can read it now; highlighting comes when its text has been read.";
    case "failed": {
      const reason = media.last_error_message?.trim() || "Its text could not be read.";
      return `${reason} You can read its pages, but passages cannot be highlighted.`;
    }
    default:
      return "This PDF is a scan: it has no text, so passages cannot be highlighted.";
  }
}

/** Why a file does not open, and what to do about it. */
export function pdfErrorWords(error: unknown): string {
  if (error instanceof FileGone) return `${error.message} Upload it again to read it.`;
  if (error instanceof ApiError) return errorWords(error);
  switch ((error as Error | null)?.name) {
    case "PasswordException":
      return "This PDF is locked with a password. Remove the password and upload it again.";
    case "InvalidPDFException":
      return "This file is damaged, and no pages can be made out in it. Download it to try another app.";
    default:
      return "The file may be damaged. Download it to read it in another app.";
  }
}
