import { expect, it } from "vitest";
import {
  advance,
  isUnfinished,
  nextToStart,
  percentSent,
  type UploadEvent,
  type UploadJob,
  type UploadState,
} from "./uploadJobs";

const job = (more: Partial<UploadJob> = {}): UploadJob => ({
  id: 1,
  file: new File(["x".repeat(200)], "a.pdf"),
  kind: "pdf",
  state: "waiting",
  attempt: 0,
  mediaId: null,
  isNew: true,
  libraryId: null,
  sentBytes: 0,
  reason: null,
  duplicate: false,
  ...more,
});

const after = (start: UploadJob, ...events: UploadEvent[]) => events.reduce(advance, start);

const START: UploadEvent = { type: "start" };
const PREPARED: UploadEvent = { type: "prepared", mediaId: "m1" };
const SENT: UploadEvent = { type: "sent" };
const FINISHED: UploadEvent = { type: "finished", mediaId: "m1", duplicate: false };
const FAILED: UploadEvent = { type: "failed", reason: "no" };
const CANCEL: UploadEvent = { type: "cancel" };
const RETRY: UploadEvent = { type: "retry" };
const progress = (sentBytes: number): UploadEvent => ({ type: "progress", sentBytes });

it("goes from waiting to done", () => {
  const sending = after(job(), START, PREPARED, progress(50));
  expect(sending).toMatchObject({ state: "sending", mediaId: "m1", sentBytes: 50, attempt: 1 });
  expect(percentSent(sending)).toBe(25);
  expect(after(sending, SENT)).toMatchObject({ state: "checking", sentBytes: 200 });
  expect(after(sending, SENT, FINISHED)).toMatchObject({ state: "done", duplicate: false });
});

it("never shows less than before, nor more than the file has", () => {
  const sending = after(job(), START, PREPARED, progress(150), progress(20));
  expect(sending.sentBytes).toBe(150);
  expect(percentSent(after(sending, progress(900)))).toBe(100);
});

it("is retried for the same item, from nothing", () => {
  const failed = after(job(), START, PREPARED, progress(150), FAILED);
  expect(failed).toMatchObject({ state: "failed", reason: "no" });
  const again = after(failed, RETRY);
  expect(again).toMatchObject({ state: "waiting", reason: null, sentBytes: 0, mediaId: "m1" });
  expect(after(again, START).attempt).toBe(2);
});

const FITTING: Record<UploadState, UploadEvent["type"][]> = {
  waiting: ["start", "failed", "cancel"],
  preparing: ["prepared", "failed", "cancel"],
  sending: ["progress", "sent", "failed", "cancel"],
  checking: ["finished", "failed", "cancel"],
  done: [],
  failed: ["retry"],
  cancelled: [],
};

it.each(Object.entries(FITTING))("takes only what fits while %s", (state, fitting) => {
  const start = job({ state: state as UploadState });
  const changed = [START, PREPARED, progress(10), SENT, FINISHED, FAILED, CANCEL, RETRY]
    .filter((event) => advance(start, event) !== start)
    .map((event) => event.type);
  expect(changed).toEqual(fitting);
  expect(isUnfinished(start)).toBe(fitting.includes("cancel"));
});

it("lets two run at a time, first come first served", () => {
  const states: UploadState[] = ["done", "sending", "waiting", "failed", "waiting", "cancelled"];
  const jobs = states.map((state, id) => job({ id, state }));
  expect(nextToStart(jobs, 2).map((one) => one.id)).toEqual([2]);
  expect(nextToStart(jobs, 3).map((one) => one.id)).toEqual([2, 4]);
  expect(nextToStart(jobs, 1)).toEqual([]);
});
