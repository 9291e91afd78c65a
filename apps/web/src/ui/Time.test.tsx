import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Time } from "./Time";

let hidden = false;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-01T12:00:00Z") });
  hidden = false;
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (minutes: number) => act(() => vi.advanceTimersByTime(minutes * 60_000));

function show(isHidden: boolean) {
  hidden = isHidden;
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}

it("goes on by itself", () => {
  render(<Time at="2026-11-01T11:59:30Z" />);
  expect(screen.getByText("just now")).toBeTruthy();
  pass(2);
  expect(screen.getByText("2 minutes ago")).toBeTruthy();
  pass(60);
  expect(screen.getByText("1 hour ago")).toBeTruthy();
});

it("shares one timer, which rests while nobody looks and ends with the last one", () => {
  const { rerender } = render([1, 2, 3].map((n) => <Time key={n} at="2026-11-01T11:59:30Z" />));
  expect(vi.getTimerCount()).toBe(1);
  show(true);
  expect(vi.getTimerCount()).toBe(0);
  pass(10);
  expect(screen.getAllByText("just now")).toHaveLength(3);
  show(false);
  expect(screen.getAllByText("10 minutes ago")).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(1);
  rerender([]);
  expect(vi.getTimerCount()).toBe(0);
});

it("never speaks of the future, however the clocks differ", () => {
  render(<Time at="2026-11-01T12:03:00Z" />);
  expect(screen.getByText("just now")).toBeTruthy();
  pass(5);
  expect(screen.getByText("2 minutes ago")).toBeTruthy();
});
