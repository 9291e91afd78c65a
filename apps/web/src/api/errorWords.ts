import { ApiError } from "./errors";

const WORDS: Record<string, string> = {
  E_NETWORK: "Nexus cannot be reached. Check your connection and try again.",
  E_TIMEOUT: "Nexus took too long to answer. Try again in a moment.",
  E_BAD_RESPONSE: "Nexus answered in a way this page does not understand. Reload it and try again.",
  E_UNAUTHENTICATED: "Your session ended. Sign in again to go on.",
  E_INVALID_CREDENTIALS: "That e-mail and password do not match an account.",
  E_SIGNUP_CLOSED: "This Nexus takes no new accounts. Ask the person who runs it for one.",
  E_SIGNUP_REFUSED:
    "No account was created with this e-mail address. If you have one here, sign in.",
  E_WEAK_PASSWORD: "This password is too easy to guess. Choose a longer or less common one.",
  E_FORBIDDEN: "You are not allowed to do this here. Only the library’s admins are.",
  E_DEFAULT_LIBRARY_FORBIDDEN: "Your default library always stays as it is.",
  E_LIBRARY_NOT_FOUND: "This library is gone, or is no longer shared with you.",
  E_HIGHLIGHT_CONFLICT: "You have highlighted exactly this passage already.",
  E_HIGHLIGHT_INVALID_RANGE:
    "The text here is not what the server has any more. Reload the article and try again.",
  E_MEDIA_NOT_READY: "This item is not ready for highlights yet. Wait a moment.",
  E_MEDIA_NOT_FOUND: "This item is gone, or is no longer shared with you.",
  E_INVALID_STATE: "This item has changed meanwhile. Look at it again.",
  E_RETRY_LIMIT_REACHED: "This was tried often enough. Save its address again for a fresh start.",
  E_CSRF: "Your browser sent this request in a way Nexus does not trust. Reload the page.",
};

/** What to tell a person about a failure. The code decides; the server's message is the fallback. */
export function errorWords(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something went wrong on this page. Reload it.";
  if (error.code === "E_RATE_LIMITED") return rateLimitWords(error.retryAfter);
  const words = WORDS[error.code] ?? error.message;
  if (words) return words;
  return "Something went wrong on the server. Try again in a moment.";
}

function rateLimitWords(seconds: number | null): string {
  if (seconds === null) return "Too many attempts. Wait a little, then try again.";
  if (seconds <= 90)
    return `Too many attempts. Try again in ${count(Math.max(seconds, 1), "second")}.`;
  return `Too many attempts. Try again in ${count(Math.ceil(seconds / 60), "minute")}.`;
}

function count(n: number, unit: string): string {
  return `${n} ${unit}${n === 1 ? "" : "s"}`;
}
