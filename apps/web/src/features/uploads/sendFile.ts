import { ApiError, clientError } from "../../api/errors";
import type { UploadTarget } from "../../api/media";

interface SendOptions {
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
}

// Nothing for this long means that the line is dead, however large the file.
const STALLED_MS = 60_000;

/** Sends the bytes to where the server said. XMLHttpRequest, because fetch tells no progress. */
export function sendFile(
  file: File,
  target: Pick<UploadTarget, "upload_url" | "upload_headers">,
  { onProgress, signal }: SendOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    let stalled: ReturnType<typeof setTimeout>;
    const stop = () => request.abort();
    const watch = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => {
        settle(() => reject(clientError("E_TIMEOUT")));
        stop();
      }, STALLED_MS);
    };
    const settle = (end: () => void) => {
      clearTimeout(stalled);
      signal.removeEventListener("abort", stop);
      end();
    };
    request.upload.onprogress = (event) => {
      watch();
      onProgress(event.loaded);
    };
    request.onload = () =>
      settle(() => (request.status < 300 ? resolve() : reject(refusal(request, file.size))));
    request.onerror = () => settle(() => reject(clientError("E_NETWORK")));
    request.onabort = () => settle(() => reject(new DOMException("Cancelled", "AbortError")));
    signal.addEventListener("abort", stop);
    request.open("PUT", target.upload_url);
    for (const [name, value] of Object.entries(target.upload_headers)) {
      request.setRequestHeader(name, value);
    }
    request.send(file);
    watch();
  });
}

function refusal({ status, responseText }: XMLHttpRequest, sizeBytes: number): ApiError {
  const body = readBody(responseText);
  const { code, message } = ownError(body.error);
  const tooLarge = status === 413 || body.statusCode === "413" || body.code === "EntityTooLarge";
  if (!code && tooLarge) return tooLargeForStorage(status, sizeBytes);
  return new ApiError({
    code: code ?? "E_UPLOAD_REFUSED",
    status,
    message: message ?? `The storage refused the file (${status}). Try again.`,
  });
}

/** The storage does not say how much it accepts, only that it is less than this. */
function tooLargeForStorage(status: number, sizeBytes: number): ApiError {
  const limit = Math.ceil(sizeBytes / (1024 * 1024));
  const message = `This file is too large; the storage accepts less than ${limit} MB.`;
  return new ApiError({ code: "E_FILE_TOO_LARGE", status, message });
}

/** What Nexus itself says is an object; another storage names its error in a word. */
function ownError(error: unknown): { code?: string; message?: string } {
  return typeof error === "object" && error !== null ? error : {};
}

function readBody(text: string): { error?: unknown; statusCode?: unknown; code?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
