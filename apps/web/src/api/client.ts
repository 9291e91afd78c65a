import { reportReachable } from "./connection";
import { ApiError, clientError } from "./errors";

const TIMEOUT_MS = 20_000;

type QueryValue = string | number | boolean | null | undefined;
/** A list is the same parameter several times. */
type Query = Record<string, QueryValue | readonly string[]>;

interface RequestOptions {
  body?: unknown;
  query?: Query;
  signal?: AbortSignal;
  /** The request outlives the page. */
  keepalive?: boolean;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Sends one request and returns what is inside `data`; every failure is an ApiError. */
export async function request<T>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) return undefined as T;
  const envelope = await readJson(response);
  if (!response.ok) throw toApiError(response, envelope);
  if (!isRecord(envelope) || !("data" in envelope)) throw clientError("E_BAD_RESPONSE", response);
  return envelope.data as T;
}

async function send(method: Method, path: string, options: RequestOptions): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const init: RequestInit = {
    method,
    headers: { Accept: "application/json" },
    credentials: "same-origin",
    keepalive: options.keepalive ?? false,
    signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
  };
  if (options.body !== undefined) {
    init.headers = { ...init.headers, "Content-Type": "application/json" };
    init.body = JSON.stringify(options.body);
  }
  try {
    const response = await fetch(path + toSearch(options.query), init);
    reportReachable(true);
    return response;
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    reportReachable(false);
    throw clientError(timeout.aborted ? "E_TIMEOUT" : "E_NETWORK", { cause });
  }
}

function toSearch(query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one));
  }
  const text = params.toString();
  return text ? `?${text}` : "";
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/** What a response that is no success says, for requests that are not answered with JSON. */
export async function readError(response: Response): Promise<ApiError> {
  return toApiError(response, await readJson(response));
}

/** The same for what was not sent by fetch. */
export function readErrorText({ status, text }: { status: number; text: string }): ApiError {
  let envelope: unknown;
  try {
    envelope = JSON.parse(text);
  } catch {
    envelope = undefined;
  }
  return toApiError({ status, headers: new Headers() }, envelope);
}

function toApiError(response: Pick<Response, "status" | "headers">, envelope: unknown): ApiError {
  const error = isRecord(envelope) ? envelope.error : undefined;
  if (!isRecord(error) || typeof error.code !== "string")
    return clientError("E_BAD_RESPONSE", response);
  return new ApiError({
    code: error.code,
    status: response.status,
    message: typeof error.message === "string" ? error.message : "",
    requestId: typeof error.request_id === "string" ? error.request_id : null,
    retryAfter: readRetryAfter(response.headers.get("Retry-After")),
  });
}

/** Retry-After is a number of seconds or an HTTP date. */
export function readRetryAfter(header: string | null, now = Date.now()): number | null {
  if (!header) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
