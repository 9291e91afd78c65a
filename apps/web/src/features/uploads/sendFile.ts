import { ApiError } from "../../api/errors";
import type { UploadTarget } from "../../api/media";
import { type SentResponse, sendBytes } from "../../shared/sendBytes";

interface SendOptions {
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
}

// Nothing for this long means that the line is dead, however large the file.
const STALLED_MS = 60_000;

/** Sends the bytes to where the server said. */
export async function sendFile(
  file: File,
  target: Pick<UploadTarget, "upload_url" | "upload_headers">,
  { onProgress, signal }: SendOptions,
): Promise<void> {
  const response = await sendBytes({
    method: "PUT",
    url: target.upload_url,
    headers: target.upload_headers,
    body: file,
    onProgress,
    signal,
    stalledMs: STALLED_MS,
  });
  if (response.status >= 300) throw refusal(response, file.size);
}

function refusal({ status, text }: SentResponse, sizeBytes: number): ApiError {
  const body = readBody(text);
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
