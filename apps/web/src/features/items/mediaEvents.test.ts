// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { testMedia } from "../../testMedia";
import { followMediaEvents } from "./mediaEvents";

class FakeSource extends EventTarget {
  static all: FakeSource[] = [];
  closed = false;
  constructor(readonly url: string) {
    super();
    FakeSource.all.push(this);
  }
  close() {
    this.closed = true;
  }
  send(type: string, data = "{}") {
    this.dispatchEvent(new MessageEvent(type, { data }));
  }
}

const last = () => FakeSource.all[FakeSource.all.length - 1] as FakeSource;
const handlers = () => ({
  onFresh: vi.fn(),
  onMedia: vi.fn(),
  onRemoved: vi.fn(),
  onImport: vi.fn(),
  onLost: vi.fn(),
});
let stop = () => {};

beforeEach(() => {
  FakeSource.all = [];
  vi.stubGlobal("EventSource", FakeSource);
  vi.useFakeTimers();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

it("hands on what the stream tells, and nothing it cannot read", () => {
  const told = handlers();
  stop = followMediaEvents(told);
  last().send("hello");
  last().send("resync");
  expect(told.onFresh).toHaveBeenCalledTimes(2);
  const event = { media_id: "m1", media: testMedia() };
  last().send("media", JSON.stringify(event));
  last().send("media", "{ not json");
  last().send("media", "{}");
  expect(told.onMedia.mock.calls).toEqual([[event]]);
  for (const data of ['{"id":"i1"}', "{ not json", "{}", "null"]) last().send("import", data);
  expect(told.onImport.mock.calls).toEqual([[{ id: "i1" }]]);
});

it("comes back after a break, later each time, and says once that it is gone", () => {
  const told = handlers();
  stop = followMediaEvents(told);
  for (const wait of [1_250, 2_500, 5_000]) {
    const before = FakeSource.all.length;
    last().send("error");
    expect(last().closed).toBe(true);
    vi.advanceTimersByTime(wait / 2);
    expect(FakeSource.all).toHaveLength(before);
    vi.advanceTimersByTime(wait / 2);
    expect(FakeSource.all).toHaveLength(before + 1);
  }
  expect(told.onLost).toHaveBeenCalledTimes(1);
  last().send("hello");
  last().send("error");
  expect(told.onLost).toHaveBeenCalledTimes(2);
});

it("does not wait when the window gets focus", () => {
  stop = followMediaEvents(handlers());
  last().send("error");
  window.dispatchEvent(new Event("focus"));
  expect(FakeSource.all).toHaveLength(2);
  window.dispatchEvent(new Event("focus"));
  expect(FakeSource.all).toHaveLength(2);
});

it("lets go of the connection in a tab nobody looks at", () => {
  stop = followMediaEvents(handlers());
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  vi.advanceTimersByTime(9_000);
  expect(last().closed).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(last().closed).toBe(true);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(FakeSource.all).toHaveLength(2);
  expect(last().closed).toBe(false);
});

it("is silent once stopped", () => {
  const told = handlers();
  followMediaEvents(told)();
  expect(last().closed).toBe(true);
  window.dispatchEvent(new Event("focus"));
  vi.advanceTimersByTime(60_000);
  expect(FakeSource.all).toHaveLength(1);
});
