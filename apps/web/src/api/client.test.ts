import { describe, expect, it, vi } from "vitest";
import { readRetryAfter, request } from "./client";
import { isReachable } from "./connection";
import { ApiError, isSessionEnd, isUnreachable, isWorthRetrying } from "./errors";

function answer(status: number, body: string | null, headers: Record<string, string> = {}) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response(body, { status, headers }));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

async function failure(): Promise<ApiError> {
  const error = await request("GET", "/api/me").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe("request", () => {
  it("returns what is inside data", async () => {
    answer(200, '{"data": {"id": "u1"}}');
    await expect(request("GET", "/api/me")).resolves.toEqual({ id: "u1" });
  });

  it("returns nothing for 204", async () => {
    answer(204, null);
    await expect(request("DELETE", "/api/libraries/1")).resolves.toBeUndefined();
  });

  it("sends JSON, and only the query values that are there", async () => {
    const fetch = answer(201, '{"data": {}}');
    await request("POST", "/api/x", { body: { name: "é" }, query: { a: "1&2", b: null, c: 3 } });
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe("/api/x?a=1%262&c=3");
    expect(init?.body).toBe('{"name":"é"}');
    expect(new Headers(init?.headers).get("Content-Type")).toBe("application/json");
    expect(init?.credentials).toBe("same-origin");
  });

  it("turns the error envelope into an ApiError", async () => {
    answer(429, '{"error": {"code": "E_RATE_LIMITED", "message": "slow", "request_id": "r1"}}', {
      "Retry-After": "30",
    });
    expect(await failure()).toMatchObject({
      code: "E_RATE_LIMITED",
      status: 429,
      message: "slow",
      requestId: "r1",
      retryAfter: 30,
    });
  });

  it.each([
    ["a proxy's HTML error page", 502, "<html>Bad gateway</html>"],
    ["an empty error", 500, ""],
    ["an error without a code", 400, '{"error": {"message": "?"}}'],
    ["JSON null", 400, "null"],
    ["success without data", 200, '{"ok": true}'],
    ["success that is not JSON", 200, "<!doctype html>"],
  ])("calls %s a bad response", async (_, status, body) => {
    answer(status, body);
    expect(await failure()).toMatchObject({ code: "E_BAD_RESPONSE", status });
  });

  it("says when there was no answer, and notices when there is one again", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const error = await failure();
    expect(error).toMatchObject({ code: "E_NETWORK", status: 0 });
    expect(isUnreachable(error)).toBe(true);
    expect(isReachable()).toBe(false);
    answer(500, "");
    await failure();
    expect(isReachable()).toBe(true);
  });

  it("gives up on a server that never answers", async () => {
    vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort(new Error("time is up")));
    vi.stubGlobal("fetch", (_: string, init: RequestInit) => Promise.reject(init.signal?.reason));
    expect(await failure()).toMatchObject({ code: "E_TIMEOUT", status: 0 });
  });

  it("does not report a request that the caller took back", async () => {
    answer(200, '{"data": 1}');
    await request("GET", "/api/me");
    const stop = new AbortController();
    stop.abort(new Error("no longer needed"));
    vi.stubGlobal("fetch", (_: string, init: RequestInit) => Promise.reject(init.signal?.reason));
    const outcome = request("GET", "/api/me", { signal: stop.signal });
    await expect(outcome).rejects.toThrow("no longer needed");
    expect(isReachable()).toBe(true);
  });
});

describe("what an error means", () => {
  const make = (status: number, code: string) => new ApiError({ status, code, message: "" });

  it.each([
    [401, "E_UNAUTHENTICATED", true],
    [401, "E_BAD_RESPONSE", true],
    [401, "E_INVALID_CREDENTIALS", false],
    [403, "E_FORBIDDEN", false],
    [503, "E_AUTH_UNAVAILABLE", false],
    [0, "E_NETWORK", false],
  ])("%i %s ends the session: %s", (status, code, ends) => {
    expect(isSessionEnd(make(status, code))).toBe(ends);
  });

  it.each([
    [0, "E_NETWORK", true],
    [0, "E_TIMEOUT", true],
    [503, "E_UNAVAILABLE", true],
    [503, "E_AUTH_UNAVAILABLE", true],
    [429, "E_RATE_LIMITED", false],
    [404, "E_NOT_FOUND", false],
  ])("%i %s is worth a retry: %s", (status, code, worth) => {
    expect(isWorthRetrying(make(status, code))).toBe(worth);
  });
});

describe("readRetryAfter", () => {
  const now = Date.parse("2026-11-15T10:00:00Z");
  it.each([
    [null, null],
    ["", null],
    ["0", 0],
    ["120", 120],
    ["soon", null],
    ["Sun, 15 Nov 2026 10:01:30 GMT", 90],
    ["Sun, 15 Nov 2026 09:00:00 GMT", 0],
  ])("%s → %s", (header, seconds) => {
    expect(readRetryAfter(header, now)).toBe(seconds);
  });
});
