import { clientError } from "../api/errors";

interface Sending {
  method: "PUT" | "POST";
  url: string;
  headers?: Record<string, string>;
  body: Blob;
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
  /** Nothing for this long means that the line is dead, however large the file. */
  stalledMs: number;
}

export interface SentResponse {
  status: number;
  text: string;
}

/** Sends a file and returns what was said to it. XMLHttpRequest, because fetch tells no progress. */
export function sendBytes(sending: Sending): Promise<SentResponse> {
  const { method, url, headers = {}, body, onProgress, signal, stalledMs } = sending;
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
      }, stalledMs);
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
      settle(() => resolve({ status: request.status, text: request.responseText }));
    request.onerror = () => settle(() => reject(clientError("E_NETWORK")));
    request.onabort = () => settle(() => reject(new DOMException("Cancelled", "AbortError")));
    signal.addEventListener("abort", stop);
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body);
    watch();
  });
}
