import { expect, it, vi } from "vitest";
import { sendFile } from "./sendFile";

/** A request that gets this response as soon as it is sent. */
function respondWith(status: number, responseText: string): void {
  vi.stubGlobal(
    "XMLHttpRequest",
    class {
      upload = {};
      status = status;
      responseText = responseText;
      onload: (() => void) | null = null;
      open() {}
      setRequestHeader() {}
      send() {
        this.onload?.();
      }
    },
  );
}

const file = new File([new Uint8Array(3 * 1024 * 1024 - 10)], "a.pdf");

function send(): Promise<void> {
  const target = { upload_url: "https://storage.example/a", upload_headers: {} };
  return sendFile(file, target, { onProgress: () => {}, signal: new AbortController().signal });
}

it.each([
  [400, '{"statusCode":"413","error":"Payload too large","message":"…","code":"EntityTooLarge"}'],
  [400, '{"statusCode":"413","error":"Payload too large","message":"…"}'],
  [413, "<h1>413 Request Entity Too Large</h1>"],
])("says that the storage takes no file of this size (%d %s)", async (status, body) => {
  respondWith(status, body);
  await expect(send()).rejects.toMatchObject({
    code: "E_FILE_TOO_LARGE",
    message: "This file is too large; the storage accepts less than 3 MB.",
  });
});

it("tells what Nexus itself says", async () => {
  respondWith(413, '{"error":{"code":"E_FILE_TOO_LARGE","message":"Too many bytes."}}');
  await expect(send()).rejects.toMatchObject({ message: "Too many bytes." });
});

it.each([
  [400, '{"statusCode":"400","error":"InvalidJWT","message":"jwt expired"}'],
  [502, "null"],
  [403, ""],
])("says of any other refusal that it is one (%d %s)", async (status, body) => {
  respondWith(status, body);
  await expect(send()).rejects.toMatchObject({
    code: "E_UPLOAD_REFUSED",
    message: `The storage refused the file (${status}). Try again.`,
  });
});

it("ends well", async () => {
  respondWith(200, '{"Key":"nexus/a"}');
  await expect(send()).resolves.toBeUndefined();
});
