import { expect, it, vi } from "vitest";
import { fetchLibraries, fetchLibraryMedia, renameLibrary } from "./libraries";

const signal = new AbortController().signal;

function serve(answer: (path: string) => unknown): string[] {
  const paths: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    paths.push(path);
    return Response.json({ data: answer(path) });
  });
  return paths;
}

it("gathers the libraries of every page", async () => {
  const paths = serve((path) =>
    path.includes("cursor=c%2F1")
      ? { libraries: [{ id: "b" }], next_cursor: null }
      : { libraries: [{ id: "a" }], next_cursor: "c/1" },
  );
  expect((await fetchLibraries(signal)).map((library) => library.id)).toEqual(["a", "b"]);
  expect(paths).toEqual(["/api/libraries", "/api/libraries?cursor=c%2F1"]);
});

it("stops at a cursor that never ends", async () => {
  const paths = serve(() => ({ libraries: [], next_cursor: "again" }));
  await fetchLibraries(signal);
  expect(paths).toHaveLength(20);
});

it("never lets an id change the path", async () => {
  const paths = serve(() => ({ media: [], next_cursor: "n" }));
  const page = await fetchLibraryMedia("../me?x", null, signal);
  await renameLibrary("a/b", "New");
  expect(page).toEqual({ items: [], nextCursor: "n" });
  expect(paths).toEqual(["/api/libraries/..%2Fme%3Fx/media", "/api/libraries/a%2Fb"]);
});
