import { expect, it } from "vitest";
import { fileNameOf, type Received, readFile } from "./download";

const { signal } = new AbortController();

it("reads a file to its end and tells how far it is", async () => {
  const headers = { "Content-Length": "1000", "X-Nexus-Items": "7" };
  const response = new Response("x".repeat(1000), { headers });
  const told: Received[] = [];
  const file = await readFile(response, { signal, onProgress: (received) => told.push(received) });
  expect(file.size).toBe(1000);
  expect(told.at(-1)).toEqual({ bytes: 1000, total: 1000, items: 7 });
});

it("does not take a file for whole that broke off", async () => {
  const cut = new Response("x".repeat(10), { headers: { "Content-Length": "1000" } });
  await expect(readFile(cut, { signal, onProgress: () => {} })).rejects.toMatchObject({
    code: "E_NETWORK",
  });
  const broken = new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(10));
        controller.error(new TypeError("network error"));
      },
    }),
  );
  await expect(readFile(broken, { signal, onProgress: () => {} })).rejects.toMatchObject({
    code: "E_NETWORK",
  });
});

it.each([
  ['attachment; filename="nexus.zip"', "nexus.zip"],
  ["attachment; filename=\"a.md\"; filename*=UTF-8''%C3%A4.md", "ä.md"],
  ["attachment; filename=\"a.md\"; filename*=UTF-8''%E0%A4%A", "a.md"],
  ["attachment", "nexus"],
])("takes the name from %s", (header, name) => {
  const response = new Response("", { headers: { "Content-Disposition": header } });
  expect(fileNameOf(response, "nexus")).toBe(name);
});
