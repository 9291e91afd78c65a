/**
 * Everything that can go wrong between the app and its server is one ApiError.
 * Codes that start with `E_` and come with a status are the server's own. These are ours:
 *
 * - E_NETWORK: no answer at all (offline, server down); status 0
 * - E_TIMEOUT: no answer in time; status 0
 * - E_BAD_RESPONSE: an answer that is not the envelope we agreed on
 */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly requestId: string | null;
  /** Seconds the server asks us to wait, from Retry-After. */
  readonly retryAfter: number | null;

  constructor(init: {
    code: string;
    status: number;
    message: string;
    requestId?: string | null;
    retryAfter?: number | null;
    cause?: unknown;
  }) {
    super(init.message, { cause: init.cause });
    this.name = "ApiError";
    this.code = init.code;
    this.status = init.status;
    this.requestId = init.requestId ?? null;
    this.retryAfter = init.retryAfter ?? null;
  }
}

const WORDS = {
  E_NETWORK: "Nexus cannot be reached. Check your connection and try again.",
  E_TIMEOUT: "Nexus took too long to respond. Try again in a moment.",
  E_BAD_RESPONSE: "Nexus sent a response this page does not understand. Reload it and try again.",
};

/** An error of our own: the server said nothing, or nothing we can read. */
export function clientError(
  code: keyof typeof WORDS,
  { status = 0, cause }: { status?: number; cause?: unknown } = {},
): ApiError {
  return new ApiError({ code, status, message: WORDS[code], cause });
}

/** Did the request fail before the server could answer? */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && (error.code === "E_NETWORK" || error.code === "E_TIMEOUT");
}

/** Is the person no longer signed in? A refused sign-in is also a 401, but ends no session. */
export function isSessionEnd(error: unknown): boolean {
  return (
    error instanceof ApiError && error.status === 401 && error.code !== "E_INVALID_CREDENTIALS"
  );
}

/** Is it worth asking again without the person doing anything? */
export function isWorthRetrying(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof ApiError && error.status >= 500);
}
