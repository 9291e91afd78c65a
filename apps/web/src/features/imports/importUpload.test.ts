import { afterEach, expect, it, vi } from "vitest";
import { LIMITS } from "../../api/schema";
import {
  cancelImportUpload,
  currentImportUpload,
  onImportUploadChange,
  problemWith,
  sendImport,
} from "./importUpload";

const UNKNOWN = '{"error":{"code":"E_IMPORT_UNKNOWN_FORMAT","message":"No.","request_id":"r"}}';

/** A request that is sent to its end and gets this response, unless it is stopped before. */
function respondWith(status: number, responseText: string, { holds = false } = {}): void {
  vi.stubGlobal(
    "XMLHttpRequest",
    class {
      upload: { onprogress?: (event: { loaded: number }) => void } = {};
      status = status;
      responseText = responseText;
      onload: (() => void) | null = null;
      onabort: (() => void) | null = null;
      open() {}
      setRequestHeader() {}
      send(body: Blob) {
        this.upload.onprogress?.({ loaded: body.size / 2 });
        if (holds) return;
        this.upload.onprogress?.({ loaded: body.size });
        this.onload?.();
      }
      abort() {
        this.onabort?.();
      }
    },
  );
}

const file = new File(["x".repeat(100)], "bookmarks.html");

afterEach(() => {
  cancelImportUpload();
  vi.unstubAllGlobals();
});

it("sends a file, has it read, and leads to what is in it", async () => {
  respondWith(201, '{"data":{"id":"i1"}}');
  const states: string[] = [];
  const stop = onImportUploadChange(() => states.push(currentImportUpload().state));
  await sendImport(file);
  stop();
  expect(currentImportUpload()).toEqual({ state: "done", id: "i1" });
  expect(states).toEqual(["sending", "sending", "reading", "done"]);
});

it("names the formats that work when a file is in none of them", async () => {
  respondWith(400, UNKNOWN);
  await sendImport(file);
  expect(currentImportUpload()).toMatchObject({
    state: "refused",
    unknown: true,
    reason: expect.stringMatching(/Pocket.*Kindle.*Nexus/),
  });
});

it.each([
  [400, '{"error":{"code":"E_IMPORT_INVALID","message":"The zip is damaged."}}', /zip is damaged/],
  [413, "<h1>413</h1>", /larger than 200 MB/],
  [502, "", /response this page does not understand/],
])("says why a file is refused with %d", async (status, body, words) => {
  respondWith(status, body);
  await sendImport(file);
  expect(currentImportUpload()).toMatchObject({
    state: "refused",
    unknown: false,
    reason: expect.stringMatching(words),
  });
});

it("can be stopped", async () => {
  respondWith(201, "", { holds: true });
  const sent = sendImport(file);
  expect(currentImportUpload()).toMatchObject({ state: "sending", sentBytes: 50, size: 100 });
  cancelImportUpload();
  await sent;
  expect(currentImportUpload()).toEqual({ state: "idle" });
});

it.each([
  ["a.csv", 0, /empty/],
  ["a.csv", LIMITS.import_bytes + 1, /larger than 200 MB/],
  ["Book.EPUB", 10, /use Add/],
  ["a.csv", LIMITS.import_bytes, null],
])("looks at %s of %d bytes before it is sent", (name, size, problem) => {
  if (problem) expect(problemWith({ name, size })).toMatch(problem);
  else expect(problemWith({ name, size })).toBeNull();
});
