import { expect, it, vi } from "vitest";
import { addToLibrary, fetchLibraries, removeFromLibrary, renameLibrary } from "./libraries";

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
  const paths = serve(() => ({}));
  await renameLibrary("a/b", "New");
  await addToLibrary("../me?x", "m");
  await removeFromLibrary("l", "../m");
  expect(paths).toEqual([
    "/api/libraries/a%2Fb",
    "/api/libraries/..%2Fme%3Fx/media",
    "/api/libraries/l/media/..%2Fm",
  ]);
});
