import type { QueryClient } from "@tanstack/react-query";
import { isSessionEnd } from "../../api/errors";
import { errorWords } from "../../api/errorWords";
import { addToLibrary } from "../../api/libraries";
import {
  type AnnouncedFile,
  fetchMedia,
  finishUpload,
  initUpload,
  removeMedia,
  renewUpload,
  retryMedia,
  type UploadTarget,
} from "../../api/media";
import { dropItem, putNewItem, refreshItems } from "../../shared/itemCache";
import { kindOf } from "../../shared/kinds";
import { expireSession } from "../../shared/session";
import { announce } from "../../ui/announce";
import { checkFile } from "./fileCheck";
import { sendFile } from "./sendFile";
import { isUnfinished, nextToStart, type UploadJob } from "./uploadJobs";
import { addJob, addRefused, currentUploads, dropEntry, findJob, tellJob } from "./uploadStore";

const AT_ONCE = 2;
const running = new Map<number, AbortController>();

interface UploadFor {
  /** The library the files also go into, besides the default one. */
  libraryId?: string | null;
  /** An item that waits for this file, instead of a new one. */
  media?: { id: string; kind: string };
}

/** Takes files on: each is checked, queued and sent, two at a time. */
export function uploadFiles(client: QueryClient, files: readonly File[], to: UploadFor = {}): void {
  for (const file of files) {
    const checked = checkFile(file, to.media?.kind);
    if ("problem" in checked) {
      addRefused(file.name, checked.problem);
      announce(`${file.name}: ${checked.problem}`);
      continue;
    }
    const { kind } = checked.kind;
    addJob({ file, kind, mediaId: to.media?.id ?? null, libraryId: to.libraryId ?? null });
  }
  startNext(client);
}

/** Tries a failed upload again, for the same item. */
export function retryUpload(client: QueryClient, id: number): void {
  if (tellJob(id, { type: "retry" })) startNext(client);
}

/** Stops an upload and takes back the item made for it. */
export function cancelUpload(client: QueryClient, id: number): void {
  const job = findJob(id);
  if (!job || !tellJob(id, { type: "cancel" })) return;
  running.get(id)?.abort();
  dropEntry(id);
  if (job.mediaId && job.isNew) void takeBack(client, job.mediaId);
  startNext(client);
}

/** Is anything still on its way? */
export function isUploading(): boolean {
  return currentUploads().jobs.some(isUnfinished);
}

function startNext(client: QueryClient): void {
  for (const job of nextToStart(currentUploads().jobs, AT_ONCE)) {
    tellJob(job.id, { type: "start" });
    void run(client, job).finally(() => startNext(client));
  }
}

async function run(client: QueryClient, job: UploadJob): Promise<void> {
  const controller = new AbortController();
  running.set(job.id, controller);
  try {
    const target = await prepare(job);
    if (!tellJob(job.id, { type: "prepared", mediaId: target.media_id })) {
      // Cancelled while the server was making the item.
      if (job.isNew) await takeBack(client, target.media_id);
      return;
    }
    await showItem(client, target.media_id, job);
    await sendFile(job.file, target, {
      signal: controller.signal,
      onProgress: (sentBytes) => tellJob(job.id, { type: "progress", sentBytes }),
    });
    tellJob(job.id, { type: "sent" });
    await finish(client, job, target.media_id);
  } catch (error) {
    if (isSessionEnd(error)) expireSession(client);
    const reason = errorWords(error);
    if (tellJob(job.id, { type: "failed", reason })) announce(`${job.file.name}: ${reason}`);
  } finally {
    running.delete(job.id);
  }
}

/** Announces the file; an item that failed before is reset first. */
async function prepare({ file, kind, mediaId }: UploadJob): Promise<UploadTarget> {
  const content_type = kindOf(kind).file?.content_type ?? file.type;
  const announced: AnnouncedFile = { filename: file.name, content_type, size_bytes: file.size };
  if (!mediaId) return initUpload(kind, announced);
  const media = await fetchMedia(mediaId);
  if (media.processing_status === "failed") await retryMedia(mediaId);
  return renewUpload(mediaId, announced);
}

/** Has the server look at the bytes; a file it does not take is told in its words. */
async function finish(client: QueryClient, job: UploadJob, mediaId: string): Promise<void> {
  const outcome = await finishUpload(mediaId);
  const media = await fetchMedia(outcome.media_id);
  const failed = outcome.processing_status === "failed";
  if (job.libraryId && !failed) await addToLibrary(job.libraryId, media.id);
  if (outcome.duplicate) dropItem(client, mediaId);
  putNewItem(client, media, job.libraryId);
  if (failed) {
    const reason = media.last_error_message ?? "This file could not be processed.";
    tellJob(job.id, { type: "failed", reason });
    announce(`${job.file.name}: ${reason}`);
    return;
  }
  tellJob(job.id, { type: "finished", mediaId: media.id, duplicate: outcome.duplicate });
  announce(
    outcome.duplicate
      ? `${job.file.name} is already in your library.`
      : `${job.file.name} was uploaded.`,
  );
}

async function showItem(client: QueryClient, mediaId: string, job: UploadJob): Promise<void> {
  try {
    const media = await fetchMedia(mediaId);
    if (findJob(job.id)?.state === "sending") putNewItem(client, media, job.libraryId);
  } catch {
    // The list shows it when it loads again.
  }
}

async function takeBack(client: QueryClient, mediaId: string): Promise<void> {
  dropItem(client, mediaId);
  try {
    await removeMedia(mediaId);
  } catch {
    // The server gives up on uploads that never came, so nothing stays forever.
  }
  // A list that was on its way meanwhile may have brought the item back.
  refreshItems(client);
}
