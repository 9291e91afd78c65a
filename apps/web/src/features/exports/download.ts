import { clientError } from "../../api/errors";

// Nothing for this long means that the line is dead, however large the file.
const STALLED_MS = 60_000;
// Browsers move large blobs to disk; loose chunks they would keep in memory.
const FOLD_BYTES = 8 * 1024 * 1024;

export interface Received {
  bytes: number;
  /** Null when the server does not know beforehand. */
  total: number | null;
  /** How many items are in the file; null if that is not said. */
  items: number | null;
}

/** Reads a response to its end and tells how far it is. Ends when the signal does. */
export async function readFile(
  response: Response,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (received: Received) => void },
): Promise<Blob> {
  const total = sizeOf(response);
  const items = Number(response.headers.get("X-Nexus-Items")) || null;
  const reader = response.body?.getReader();
  if (!reader) throw clientError("E_BAD_RESPONSE", response);
  const folded: Blob[] = [];
  let loose: BlobPart[] = [];
  let looseBytes = 0;
  let bytes = 0;
  for (;;) {
    const { done, value } = await inTime(reader.read(), signal);
    if (done) break;
    loose.push(value as BlobPart);
    looseBytes += value.byteLength;
    bytes += value.byteLength;
    if (looseBytes >= FOLD_BYTES) {
      folded.push(new Blob(loose));
      loose = [];
      looseBytes = 0;
    }
    onProgress({ bytes, total, items });
  }
  if (total !== null && bytes < total) throw clientError("E_NETWORK");
  return new Blob([...folded, ...loose]);
}

/** A connection that breaks off in the middle is no file. */
async function inTime<T>(next: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(clientError("E_TIMEOUT")), STALLED_MS);
  });
  try {
    return await Promise.race([next, stalled]);
  } catch (cause) {
    if (signal.aborted || !(cause instanceof TypeError)) throw cause;
    throw clientError("E_NETWORK", { cause });
  } finally {
    clearTimeout(timer);
  }
}

function sizeOf({ headers }: Response): number | null {
  // Compressed on the way, the bytes that arrive here are more than were announced.
  const length = headers.get("Content-Encoding") ? null : headers.get("Content-Length");
  return length ? Number(length) : null;
}

/** The name the server gives the file. */
export function fileNameOf({ headers }: Response, fallback: string): string {
  const disposition = headers.get("Content-Disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="([^"]+)"/i.exec(disposition)?.[1];
  try {
    return (encoded && decodeURIComponent(encoded)) || plain || fallback;
  } catch {
    return plain ?? fallback;
  }
}

/** Hands a file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads it a little later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
