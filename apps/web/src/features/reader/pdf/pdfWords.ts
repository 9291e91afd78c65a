import { ApiError } from "../../../api/errors";
import { errorWords } from "../../../api/errorWords";
import { FileGone } from "./fileRanges";

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
