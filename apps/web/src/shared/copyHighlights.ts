import { ApiError } from "../api/errors";
import { type CopyFormat, fetchHighlightsToCopy, type HighlightQuery } from "../api/highlights";
import { showToast } from "../ui/toasts";
import { copyText } from "./copyText";

const FORMAT_WORDS: Record<CopyFormat, string> = { markdown: "Markdown", text: "plain text" };

/** Copies highlights with their notes and sources, and says how many or why not. */
export async function copyHighlights(wanted: HighlightQuery, format: CopyFormat): Promise<void> {
  const copied = fetchHighlightsToCopy(wanted, format);
  try {
    await copyText(copied.then(({ count, text }) => (count > 0 ? text : nothingToCopy())));
    showToast(copiedWords((await copied).count, format));
  } catch (error) {
    if (error instanceof NothingToCopy) showToast("There are no highlights to copy.");
    else showToast(`Not copied. ${reasonOf(error)}`, "error");
  }
}

class NothingToCopy extends Error {}

/** What is on the clipboard stays there. */
function nothingToCopy(): never {
  throw new NothingToCopy();
}

function reasonOf(error: unknown): string {
  return error instanceof ApiError ? error.message : "Your browser did not allow it.";
}

export function copiedWords(count: number, format: CopyFormat): string {
  const what = count === 1 ? "the highlight" : `${count.toLocaleString("en")} highlights`;
  return `Copied ${what} as ${FORMAT_WORDS[format]}`;
}
