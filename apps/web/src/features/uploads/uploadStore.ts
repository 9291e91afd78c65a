import { createStore } from "../../ui/store";
import { advance, isUnfinished, type UploadEvent, type UploadJob } from "./uploadJobs";

/** A file that was not even tried. */
export interface RefusedFile {
  id: number;
  name: string;
  reason: string;
}

export interface Uploads {
  jobs: readonly UploadJob[];
  refused: readonly RefusedFile[];
}

const NONE: Uploads = { jobs: [], refused: [] };
const store = createStore<Uploads>(NONE);
let nextId = 1;

/** All uploads of this page, for useSyncExternalStore. */
export const currentUploads = store.get;
export const onUploadsChange = store.subscribe;

type NewJob = Pick<UploadJob, "file" | "kind" | "mediaId" | "libraryId">;

/** Adds an upload that waits for its turn. */
export function addJob(job: NewJob): void {
  const isNew = job.mediaId === null;
  const rest = { isNew, attempt: 0, sentBytes: 0, reason: null, duplicate: false };
  const added: UploadJob = { ...rest, ...job, id: nextId++, state: "waiting" };
  store.set((all) => ({ ...all, jobs: [...all.jobs, added] }));
}

/** Shows why a file was not taken. */
export function addRefused(name: string, reason: string): void {
  store.set((all) => ({ ...all, refused: [...all.refused, { id: nextId++, name, reason }] }));
}

/** The upload with this id. */
export function findJob(id: number): UploadJob | undefined {
  return store.get().jobs.find((job) => job.id === id);
}

/** Moves an upload on; returns whether the event fitted. */
export function tellJob(id: number, event: UploadEvent): boolean {
  const before = findJob(id);
  const after = before && advance(before, event);
  if (!after || after === before) return false;
  store.set((all) => ({ ...all, jobs: all.jobs.map((job) => (job.id === id ? after : job)) }));
  return true;
}

/** Takes an entry off the list. */
export function dropEntry(id: number): void {
  store.set(({ jobs, refused }) => ({
    jobs: jobs.filter((job) => job.id !== id),
    refused: refused.filter((file) => file.id !== id),
  }));
}

/** Takes everything off the list that needs nothing more. */
export function dropSettled(): void {
  store.set(({ jobs }) => ({ jobs: jobs.filter(isUnfinished), refused: [] }));
}

/** The upload under way for an item, if this page sends it. */
export function uploadOf(uploads: Uploads, mediaId: string): UploadJob | undefined {
  return uploads.jobs.find((job) => job.mediaId === mediaId && isUnfinished(job));
}

/** Forgets everything, for when somebody else signs in. */
export function forgetUploads(): void {
  store.set(() => NONE);
}
