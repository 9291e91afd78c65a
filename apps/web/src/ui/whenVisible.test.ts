// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { whenVisible } from "./whenVisible";

afterEach(() => vi.restoreAllMocks());

function show(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}

it("runs at once in a tab that is looked at", () => {
  show("visible");
  const run = vi.fn();
  whenVisible(run);
  show("visible");
  expect(run).toHaveBeenCalledTimes(1);
});

it("waits for a tab in the background to be looked at, and then runs once", () => {
  show("hidden");
  const run = vi.fn();
  whenVisible(run);
  expect(run).not.toHaveBeenCalled();
  for (const state of ["visible", "hidden", "visible"] as const) show(state);
  expect(run).toHaveBeenCalledTimes(1);
});

it("can be called off", () => {
  show("hidden");
  const run = vi.fn();
  whenVisible(run)();
  show("visible");
  expect(run).not.toHaveBeenCalled();
});
