/**
 * The life of an upload, as one pure function:
 *
 *     waiting → preparing → sending → checking → done
 *        any of the first four → failed → (retry) → waiting
 *        any of the first four → cancelled
 *
 * An event that does not fit the state changes nothing: progress that arrives after a cancel, or
 * an answer after a retry, must not bring a job back.
 */
export type UploadState =
  | "waiting"
  | "preparing"
  | "sending"
  | "checking"
  | "done"
  | "failed"
  | "cancelled";

export interface UploadJob {
  id: number;
  file: File;
  kind: string;
  state: UploadState;
  /** Counts the tries, so that the responses to an earlier one can be told apart. */
  attempt: number;
  /** The item the file is for; null until the server has made one. */
  mediaId: string | null;
  /** The item exists only for this upload, and goes when it is cancelled. */
  isNew: boolean;
  libraryId: string | null;
  sentBytes: number;
  /** Why it failed. */
  reason: string | null;
  /** The same file was there already. */
  duplicate: boolean;
}

export type UploadEvent =
  | { type: "start" }
  | { type: "prepared"; mediaId: string }
  | { type: "progress"; sentBytes: number }
  | { type: "sent" }
  | { type: "finished"; mediaId: string; duplicate: boolean }
  | { type: "failed"; reason: string }
  | { type: "cancel" }
  | { type: "retry" };

const ACTIVE = new Set<UploadState>(["preparing", "sending", "checking"]);

/** Does it still want to become an item? */
export function isUnfinished(job: UploadJob): boolean {
  return job.state === "waiting" || ACTIVE.has(job.state);
}

/** The job after an event; the very same job when the event does not fit. */
export function advance(job: UploadJob, event: UploadEvent): UploadJob {
  switch (event.type) {
    case "start":
      if (job.state !== "waiting") return job;
      return { ...job, state: "preparing", attempt: job.attempt + 1, sentBytes: 0 };
    case "prepared":
      if (job.state !== "preparing") return job;
      return { ...job, state: "sending", mediaId: event.mediaId };
    case "progress":
      if (job.state !== "sending" || event.sentBytes <= job.sentBytes) return job;
      return { ...job, sentBytes: Math.min(event.sentBytes, job.file.size) };
    case "sent":
      if (job.state !== "sending") return job;
      return { ...job, state: "checking", sentBytes: job.file.size };
    case "finished":
      if (job.state !== "checking") return job;
      return { ...job, state: "done", mediaId: event.mediaId, duplicate: event.duplicate };
    case "failed":
      return isUnfinished(job) ? { ...job, state: "failed", reason: event.reason } : job;
    case "cancel":
      return isUnfinished(job) ? { ...job, state: "cancelled" } : job;
    case "retry":
      if (job.state !== "failed") return job;
      return { ...job, state: "waiting", reason: null, sentBytes: 0 };
  }
}

/** Which jobs may start now, first come first served. */
export function nextToStart(jobs: readonly UploadJob[], atOnce: number): UploadJob[] {
  const active = jobs.filter((job) => ACTIVE.has(job.state)).length;
  const waiting = jobs.filter((job) => job.state === "waiting");
  return waiting.slice(0, Math.max(0, atOnce - active));
}

/** How much of a file is on the server, in whole percent; 100 only when all of it is. */
export function percentSent(job: UploadJob): number {
  if (job.file.size === 0) return 0;
  return Math.floor((100 * job.sentBytes) / job.file.size);
}
