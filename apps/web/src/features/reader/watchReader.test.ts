// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchReader } from "./watchReader";

const calls: string[] = [];
let stop: () => void;

function show(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}

function watch(state: DocumentVisibilityState): void {
  show(state);
  const call = (name: string) => () => void calls.push(name);
  stop = watchReader({
    onScroll: () => undefined,
    onRest: call("rest"),
    onStay: call("stay"),
    onLeave: call("leave"),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  calls.length = 0;
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("tells of nothing in a tab that nobody has looked at", () => {
  watch("hidden");
  window.dispatchEvent(new Event("scroll"));
  vi.advanceTimersByTime(20_000);
  window.dispatchEvent(new Event("pagehide"));
  expect(calls).toEqual([]);
  show("visible");
  expect(calls).toEqual([]);
  show("hidden");
  expect(calls).toEqual(["leave"]);
});

it("tells when a person rests, stays and leaves", () => {
  watch("visible");
  for (let n = 0; n < 3; n += 1) window.dispatchEvent(new Event("scroll"));
  vi.advanceTimersByTime(1_000);
  expect(calls).toEqual(["rest"]);
  vi.advanceTimersByTime(10_000);
  window.dispatchEvent(new Event("pagehide"));
  expect(calls).toEqual(["rest", "stay", "leave"]);
  stop();
  window.dispatchEvent(new Event("pagehide"));
  expect(calls).toHaveLength(3);
});
