import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { MediaQuery } from "../api/media";
import type { ListedMedia } from "../api/types";
import { readyMedia, testMedia } from "../testMedia";
import {
  applyMediaEvent,
  dropItem,
  findItem,
  itemKey,
  listKey,
  matchesQuery,
  patchItem,
  putNewItem,
  refreshItems,
} from "./itemCache";
import { firstPage, type ListData } from "./itemPages";

let client: QueryClient;

beforeEach(() => {
  client = new QueryClient();
});

function list(query: MediaQuery, ...pages: ListedMedia[][]): void {
  client.setQueryData<ListData>(listKey(query), {
    pages: pages.map((items, at) => ({
      cursor: at === 0 ? null : `c${at}`,
      items,
      size: items.length,
      outdated: false,
    })),
    next: null,
    revision: 0,
  });
}

const shown = (query: MediaQuery = {}) =>
  client.getQueryData<ListData>(listKey(query))?.pages.map((page) => page.items);
const ids = (query: MediaQuery = {}) => shown(query)?.map((items) => items?.map((one) => one.id));
const isOutdated = (query: MediaQuery = {}) =>
  client.getQueryData<ListData>(listKey(query))?.pages.some((page) => page.outdated);

/** As the stream sends it: without the reader's own count of highlights. */
function event(media: ListedMedia, media_id = media.id) {
  const { highlight_count: _own, ...told } = media;
  return { media_id, media: told };
}

it("knows what the server would list", () => {
  expect(matchesQuery({}, testMedia())).toBe(true);
  expect(matchesQuery({ status: "failed" }, testMedia())).toBe(false);
  expect(matchesQuery({ status: "pending", kind: "web_article" }, testMedia())).toBe(true);
  expect(matchesQuery({ kind: "pdf" }, testMedia())).toBe(false);
  expect(matchesQuery({ archived: false, state: "unread" }, testMedia())).toBe(true);
  expect(matchesQuery({ archived: true }, testMedia())).toBe(false);
  expect(matchesQuery({ favourite: true }, testMedia())).toBe(false);
  const tagged = testMedia({ tags: ["AI", "To do"] });
  expect(matchesQuery({ tags: ["ai", "to do"] }, tagged)).toBe(true);
  expect(matchesQuery({ tags: ["ai", "done"] }, tagged)).toBe(false);
});

it("brings a change to its row on whatever page, and keeps the highlight count", () => {
  list({}, [testMedia({ id: "a" })], [testMedia({ id: "b", highlight_count: 3 })]);
  const again = applyMediaEvent(client, event(readyMedia({ id: "b", title: "Done" })));
  expect(again).toBe(false);
  expect(shown()?.[1]?.[0]).toMatchObject({ title: "Done", highlight_count: 3 });
  expect(shown()?.[1]?.[0]?.capabilities.can_read).toBe(true);
  expect(ids()).toEqual([["a"], ["b"]]);
});

it("asks for the list again when an item it does not have belongs there", () => {
  list({}, [testMedia({ id: "a" })]);
  expect(applyMediaEvent(client, event(testMedia({ id: "new" })))).toBe(true);
  expect(ids()).toEqual([["a"]]);
});

it("does not ask for a list that the item cannot belong to", () => {
  list({ kind: "pdf" }, []);
  list({ status: "failed" }, []);
  expect(applyMediaEvent(client, event(testMedia({ id: "new" })))).toBe(false);
});

it("takes an item out of a list whose filter it no longer meets", () => {
  list({ status: "pending" }, [testMedia({ id: "a" }), testMedia({ id: "b" })]);
  applyMediaEvent(client, event(testMedia({ id: "a", processing_status: "extracting" })));
  expect(ids({ status: "pending" })).toEqual([["b"]]);
});

it("replaces the row of a merged item by the winner's", () => {
  list({}, [testMedia({ id: "loser" }), testMedia({ id: "x" })]);
  const winner = readyMedia({ id: "winner", title: "Kept", duplicate: true });
  expect(applyMediaEvent(client, event(winner, "loser"))).toBe(true);
  expect(ids()).toEqual([["winner", "x"]]);
});

it("drops the row of a merged item when the winner has one", () => {
  list({}, [testMedia({ id: "loser" })], [readyMedia({ id: "winner", highlight_count: 2 })]);
  applyMediaEvent(client, event(readyMedia({ id: "winner", duplicate: true }), "loser"));
  expect(ids()).toEqual([[], ["winner"]]);
  expect(shown()?.[1]?.[0]?.highlight_count).toBe(2);
});

it("updates the open item under both ids of a merge", () => {
  client.setQueryData(itemKey("loser"), testMedia({ id: "loser" }));
  applyMediaEvent(client, event(readyMedia({ id: "winner", duplicate: true }), "loser"));
  expect(client.getQueryData(itemKey("loser"))).toMatchObject({ id: "winner" });
  expect(client.getQueryData(itemKey("winner"))).toBeUndefined();
});

it("puts a new item on top of the lists that hold it, once", () => {
  client.setQueryData(["libraries"], [{ id: "mine", is_default: true }, { id: "essays" }]);
  const queries: MediaQuery[] = [
    {},
    { libraryId: "mine" },
    { libraryId: "essays" },
    { libraryId: "other" },
    { status: "failed" },
  ];
  for (const query of queries) list(query, [testMedia({ id: "old" })]);
  putNewItem(client, testMedia({ id: "new" }), "essays");
  putNewItem(client, testMedia({ id: "new" }), "essays");
  expect(queries.map((query) => ids(query)?.[0])).toEqual([
    ["new", "old"],
    ["new", "old"],
    ["new", "old"],
    ["old"],
    ["old"],
  ]);
});

it("takes an item out of one library, or out of everything", () => {
  for (const query of [{}, { libraryId: "l" }]) list(query, [testMedia({ id: "a" })]);
  dropItem(client, "a", "l");
  expect([ids({}), ids({ libraryId: "l" })]).toEqual([[["a"]], [[]]]);
  dropItem(client, "a");
  expect(ids({})).toEqual([[]]);
  expect(findItem(client, "a")).toBeUndefined();
});

it("patches an item in the lists and on its own page", () => {
  list({}, [testMedia({ id: "a", processing_status: "failed" })]);
  client.setQueryData(itemKey("a"), testMedia({ id: "a", processing_status: "failed" }));
  patchItem(client, "a", { processing_status: "pending" });
  expect(findItem(client, "a")?.processing_status).toBe("pending");
  expect(client.getQueryData(itemKey("a"))).toMatchObject({ processing_status: "pending" });
});

it("takes an item out of the lists it leaves, and asks again where it arrives", () => {
  list({ archived: false }, [testMedia({ id: "a" }), testMedia({ id: "b" })]);
  list({ archived: true }, []);
  list({ kind: "pdf", archived: true }, []);
  patchItem(client, "a", { archived: true });
  expect(ids({ archived: false })).toEqual([["b"]]);
  expect(isOutdated({ archived: false })).toBe(false);
  expect(isOutdated({ archived: true })).toBe(true);
  expect(isOutdated({ kind: "pdf", archived: true })).toBe(false);
});

it("does not guess where an item stands in an order of the server's", () => {
  list({ sort: "title" }, [testMedia({ id: "a", title: "A" }), testMedia({ id: "b", title: "B" })]);
  putNewItem(client, testMedia({ id: "new" }), null);
  expect(ids({ sort: "title" })).toEqual([["a", "b"]]);
  expect(isOutdated({ sort: "title" })).toBe(true);
  expect(applyMediaEvent(client, event(testMedia({ id: "a", title: "Z" })))).toBe(true);
});

it("marks lists to be loaded again without losing what is shown", () => {
  list({}, [testMedia({ id: "a" })]);
  refreshItems(client);
  expect(ids()).toEqual([["a"]]);
  expect(isOutdated({})).toBe(true);
});

/** A query somebody looks at; its responses come when the test lets them. */
function observed<T>(queryKey: readonly unknown[]) {
  const asked: ((response: T) => void)[] = [];
  const queryFn = () => new Promise<T>((resolve) => asked.push(resolve));
  const observer = new QueryObserver<T>(client, { queryKey, queryFn });
  onTestFinished(observer.subscribe(() => {}));
  return asked;
}

it("keeps what it was told while an older response was on its way", async () => {
  const ready = readyMedia({ id: "a" });
  client.setQueryData(itemKey("a"), testMedia({ id: "a" }));
  const asked = observed(itemKey("a"));
  const older = asked.length;
  applyMediaEvent(client, event(ready));
  asked.forEach((respond, at) => {
    respond(at < older ? testMedia({ id: "a" }) : ready);
  });
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  expect(client.getQueryData(itemKey("a"))).toMatchObject({
    processing_status: "ready_for_reading",
  });
});

it.each(["told of a change", "told to load everything"])(
  "loads again what was on its way for the first time when it was %s",
  async (way) => {
    const asked = observed(itemKey("a"));
    const lists = observed<ListData>(listKey({}));
    if (way === "told of a change") applyMediaEvent(client, event(readyMedia({ id: "a" })));
    else refreshItems(client);
    asked[0]?.(testMedia({ id: "a" }));
    lists[0]?.(firstPage({ items: [], nextCursor: null }));
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(isOutdated()).toBe(true);
  },
);
