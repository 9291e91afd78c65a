import { errorWords } from "../../api/errorWords";
import { type ExportRequest, requestExport } from "../../api/exports";
import { announce } from "../../ui/announce";
import { createStore } from "../../ui/store";
import { fileNameOf, type Received, readFile, saveFile } from "./download";
import { formatName } from "./formats";

/** The one export that is made at a time. It goes on whatever view is open. */
export type ExportJob =
  | { state: "idle" }
  | { state: "running"; request: ExportRequest; received: Received | null }
  | { state: "done"; request: ExportRequest; name: string; bytes: number }
  | { state: "failed"; request: ExportRequest; reason: string };

const IDLE: ExportJob = { state: "idle" };
const job = createStore<ExportJob>(IDLE);
let stop: AbortController | null = null;

/** The export, for useSyncExternalStore. */
export const currentExport = job.get;
export const onExportChange = job.subscribe;

/** Has a file written and hands it to the browser's downloads. */
export async function startExport(request: ExportRequest): Promise<void> {
  stop?.abort();
  const controller = new AbortController();
  stop = controller;
  const { signal } = controller;
  const show = (next: ExportJob) => !signal.aborted && job.set(() => next);
  show({ state: "running", request, received: null });
  try {
    const response = await requestExport(request, signal);
    const onProgress = (received: Received) => show({ state: "running", request, received });
    const file = await readFile(response, { signal, onProgress });
    if (signal.aborted) return;
    const name = fileNameOf(response, `nexus-${request.format}`);
    saveFile(file, name);
    show({ state: "done", request, name, bytes: file.size });
    announce(`${formatName(request.format)} exported.`);
  } catch (error) {
    // What was begun is of no use to anyone.
    if (!signal.aborted) show({ state: "failed", request, reason: errorWords(error) });
    controller.abort();
  }
}

/** Ends the export; nothing is downloaded. */
export function cancelExport(): void {
  stop?.abort();
  job.set(() => IDLE);
}

/** What one person exported is not shown to the next. */
export function forgetExport(): void {
  cancelExport();
}

/** Puts away what became of the last one. */
export function settleExport(): void {
  job.set((now) => (now.state === "running" ? now : IDLE));
}
