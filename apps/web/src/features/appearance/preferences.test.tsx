import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { KeptPreferences } from "../../api/reading";
import { readPreferences, useReadingPreferences, useSharedPreferences } from "./preferences";

let server: KeptPreferences | null = null;
let reachable = true;

const fetched = vi.fn(async (_path: string, init: RequestInit) => {
  if (!reachable) throw new TypeError("offline");
  if (init.method === "PUT") server = JSON.parse(String(init.body)) as KeptPreferences;
  return Response.json({ data: server });
});

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-05-01T12:00:00Z") });
  vi.stubGlobal("fetch", fetched);
  localStorage.clear();
  server = null;
  reachable = true;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function reader(id: string) {
  return renderHook(() => {
    useSharedPreferences(id);
    return useReadingPreferences(id);
  });
}

const settle = () => act(() => vi.advanceTimersByTimeAsync(3_000));

it("tells the server of a choice, once the person is done choosing", async () => {
  const { result } = reader("ann");
  await settle();
  act(() => result.current[1]({ size: 22 }));
  act(() => result.current[1]({ size: 24 }));
  expect(readPreferences("ann").size).toBe(24);
  await settle();
  const puts = fetched.mock.calls.filter(([, init]) => init.method === "PUT");
  expect(puts).toHaveLength(1);
  expect(server).toMatchObject({ size: 24, font: "serif", changed_at: "2026-05-01T12:00:03.000Z" });
});

it.each([
  ["2026-05-01T11:00:00Z", 22],
  ["2026-05-01T13:00:00Z", 28],
])("of two devices the later one is right (%s)", async (changed_at, size) => {
  reachable = false;
  const { result } = reader("ben");
  act(() => result.current[1]({ size: 22 }));
  await settle();
  reachable = true;
  const others = { theme: "system", font: "serif", width: "medium", highlight_code: true } as const;
  server = { ...others, size: 28, changed_at };
  window.dispatchEvent(new Event("online"));
  await settle();
  expect(result.current[0].size).toBe(size);
  expect(server?.size).toBe(size);
  expect(result.current[0].highlight_code).toBe(size === 28);
});

it("never gives one person's choice to the next", async () => {
  const first = reader("cat");
  await settle();
  act(() => first.result.current[1]({ size: 28 }));
  first.unmount();
  reader("dan");
  await settle();
  expect(server).toBeNull();
  expect(readPreferences("dan").size).toBe(20);
});
