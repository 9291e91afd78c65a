import { readErrorText } from "../../api/client";
import { ApiError } from "../../api/errors";
import { errorWords } from "../../api/errorWords";
import { type Import, importUploadPath } from "../../api/imports";
import { LIMITS } from "../../api/schema";
import { sendBytes } from "../../shared/sendBytes";
import { fileSize } from "../../ui/fileSize";
import { createStore } from "../../ui/store";
import { sourceNames } from "./sources";

// The server reads the whole file before it says what is in it.
const STALLED_MS = 5 * 60_000;

/** The file that is being sent. It goes on whatever view is open. */
export type ImportUpload =
  | { state: "idle" }
  | { state: "sending"; name: string; sentBytes: number; size: number }
  | { state: "reading"; name: string }
  | { state: "refused"; name: string; reason: string; unknown: boolean }
  | { state: "done"; id: string };

const IDLE: ImportUpload = { state: "idle" };
const upload = createStore<ImportUpload>(IDLE);
let stop: AbortController | null = null;

/** The upload, for useSyncExternalStore. */
export const currentImportUpload = upload.get;
export const onImportUploadChange = upload.subscribe;

/** Sends a file to be looked at. Nothing is imported yet. */
export async function sendImport(file: File): Promise<void> {
  cancelImportUpload();
  const { name, size } = file;
  const problem = problemWith(file);
  if (problem) return refuse(name, problem, false);
  const controller = new AbortController();
  stop = controller;
  const { signal } = controller;
  const show = (next: ImportUpload) => !signal.aborted && upload.set(() => next);
  show({ state: "sending", name, sentBytes: 0, size });
  const onProgress = (sentBytes: number) =>
    show(
      sentBytes >= size ? { state: "reading", name } : { state: "sending", name, sentBytes, size },
    );
  try {
    const url = importUploadPath(name);
    const sent = { method: "POST", url, body: file, onProgress, signal } as const;
    const response = await sendBytes({ ...sent, stalledMs: STALLED_MS });
    if (response.status >= 300) throw readErrorText(response);
    show({ state: "done", id: (JSON.parse(response.text) as { data: Import }).data.id });
  } catch (error) {
    if (!signal.aborted) refuse(name, wordsFor(error), isUnknownFormat(error));
  }
}

/** Stops sending, or puts away what became of it. */
export function cancelImportUpload(): void {
  stop?.abort();
  stop = null;
  upload.set(() => IDLE);
}

function refuse(name: string, reason: string, unknown: boolean): void {
  upload.set(() => ({ state: "refused", name, reason, unknown }));
}

/** What can be told before a byte is sent. */
export function problemWith(file: { name: string; size: number }): string | null {
  if (file.size === 0) return "This file is empty.";
  if (file.size > LIMITS.import_bytes) return tooLarge();
  if (/\.(pdf|epub)$/i.test(file.name)) {
    return "PDF and EPUB files are not imported but added: use Add, or drop them on any other page.";
  }
  return null;
}

function wordsFor(error: unknown): string {
  if (isUnknownFormat(error)) {
    return `Nexus does not recognise this file. It can import files from ${sourceNames()}.`;
  }
  if (error instanceof ApiError && error.status === 413) return tooLarge();
  return errorWords(error);
}

function tooLarge(): string {
  return `This file is larger than ${fileSize(LIMITS.import_bytes)}, the most that can be imported at once.`;
}

function isUnknownFormat(error: unknown): boolean {
  return error instanceof ApiError && error.code === "E_IMPORT_UNKNOWN_FORMAT";
}
