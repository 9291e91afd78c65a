import { ApiError } from "../../../api/errors";
import { errorWords } from "../../../api/errorWords";
import type { ToastAction } from "../../../ui/toasts";
import type { Change, KeptChange } from "./outbox";

const FINAL = new Set([400, 404, 409, 413]);
const TAKEN = new Set(["E_HIGHLIGHT_CONFLICT", "E_HIGHLIGHT_ID_CONFLICT"]);
const SHOWN_WORDS = 8;
const SHOWN_NOTE = 300;

/** Did the server itself say no, so that sending the same again cannot help? */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && FINAL.has(error.status) && error.code !== "E_BAD_RESPONSE";
}

export function isGone(error: unknown): boolean {
  return isRefusal(error) && (error as ApiError).status === 404;
}

/** Is there a highlight already with this id or on this passage? */
export function isTaken(error: unknown): boolean {
  return error instanceof ApiError && TAKEN.has(error.code);
}

/** What to tell somebody whose change was refused for good: what happened, and what to do. */
export function refusalWords({ change, about }: KeptChange, error: unknown, note = ""): string {
  const words = `${whatHappened(change, quote(about))} ${why(change, error)}`;
  return note ? `${words} Your note on it: “${note.slice(0, SHOWN_NOTE)}”` : words;
}

/** Saves the note of a refused highlight; browsers offer the clipboard on secure pages only. */
export function copyNote(note: string): ToastAction | undefined {
  if (!("clipboard" in navigator)) return undefined;
  return { label: "Copy note", run: () => void navigator.clipboard.writeText(note) };
}

function whatHappened(change: Change, passage: string): string {
  if (change.kind === "create") return `Your highlight ${passage} was not saved.`;
  if (change.kind === "delete") return `Your highlight ${passage} was not deleted.`;
  if (change.kind === "restore") return `Your highlight ${passage} was not restored.`;
  const what = "start_offset" in change.changes ? "new passage" : "new colour";
  return `The ${what} of your highlight ${passage} was not saved.`;
}

function why(change: Change, error: unknown): string {
  if (!isGone(error)) return errorWords(error);
  if (change.kind === "create") return "The article is gone, or is no longer shared with you.";
  if (change.kind === "restore") return "It is too late to undo. Highlight the passage again.";
  return "It was deleted elsewhere. Highlight the passage again if you still want it.";
}

function quote(about: string): string {
  const words = about.trim().split(/\s+/);
  const shown = words.slice(0, SHOWN_WORDS).join(" ");
  return shown ? `“${shown}${words.length > SHOWN_WORDS ? "…" : ""}”` : "";
}
