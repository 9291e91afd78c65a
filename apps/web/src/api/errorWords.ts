import { ApiError } from "./errors";

/** What to tell a person about a failure: the server's own message, without the name of a field. */
export function errorWords(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something went wrong on this page. Reload it.";
  const field = fieldOf(error);
  if (field) return asSentence(error.message.slice(field.length + 1));
  return error.message || "Something went wrong on the server. Try again in a moment.";
}

/** The field of the request that the server finds fault with: "url" in "url: must be…". */
export function fieldOf(error: unknown): string | null {
  return error instanceof ApiError ? (/^([a-z_]+): /.exec(error.message)?.[1] ?? null) : null;
}

function asSentence(reason: string): string {
  const text = reason.trim().replace(/[.\s]*$/, ".");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
