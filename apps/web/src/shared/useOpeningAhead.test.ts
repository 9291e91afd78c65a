// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OpeningAhead } from "./useOpeningAhead";

let client: QueryClient;
let ahead: OpeningAhead;
/** The items asked for, and those of them that were given up. */
let asked: string[];
let givenUp: string[];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  givenUp = [];
  client = new QueryClient();
  ahead = new OpeningAhead(client);
  vi.stubGlobal("fetch", (path: string, { signal }: RequestInit) => {
    const id = path.split("/")[3] ?? "";
    asked.push(id);
    return new Promise((_, reject) => {
      signal?.addEventListener("abort", () => {
        givenUp.push(id);
        reject(new DOMException("", "AbortError"));
      });
    });
  });
});

afterEach(() => {
  ahead.stop();
  client.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const rest = (ms = 100) => vi.advanceTimersByTimeAsync(ms);

it("asks for what the pointer rests on, once", async () => {
  ahead.restOn("a");
  await rest(50);
  expect(asked).toEqual([]);
  ahead.restOn("a");
  await rest();
  expect(asked).toEqual(["a"]);
});

it("gives up what is left before it has come", async () => {
  ahead.restOn("a");
  await rest();
  ahead.restOn(null);
  await rest();
  expect([asked, givenUp]).toEqual([["a"], ["a"]]);
});

it("keeps what is opened, and asks for it without waiting", async () => {
  ahead.restOn("a");
  await rest();
  ahead.open("a");
  ahead.restOn(null);
  ahead.open("b");
  await rest();
  ahead.restOn(null);
  await rest();
  expect([asked, givenUp]).toEqual([["a", "b"], []]);
});

it("does not follow somebody through a whole list", async () => {
  for (let row = 0; row < 30; row += 1) {
    ahead.restOn(`item-${row}`);
    await rest();
  }
  expect(asked).toHaveLength(10);
  await rest(10_000);
  ahead.restOn("later");
  await rest();
  expect(asked).toHaveLength(11);
});

it("asks for nothing ahead of somebody who saves data", async () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  ahead.restOn("a");
  await rest();
  expect(asked).toEqual([]);
  ahead.open("a");
  expect(asked).toEqual(["a"]);
});
