// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it, vi } from "vitest";
import type { Media } from "../../api/types";
import { applyMediaEvent, findItem, listKey, loadPage } from "../../shared/itemCache";
import { firstPage, type ListData, rowsOf } from "../../shared/itemPages";
import { forgetUndo, undoLast } from "../../shared/undo";
import { readyMedia } from "../../testMedia";
import { waitUntil } from "../../testWaiting";
import { currentToasts, dismissToast } from "../../ui/toasts";
import { changeTags, markFinished, toggleFinished, toggleMark } from "./actions";
import { removeItems } from "./removal";

interface Sent {
  path: string;
  keepalive: boolean | undefined;
  body: { media_ids: string[] };
}

let client: QueryClient;
let sent: Sent[];
/** Which request is refused, counted from the first. */
let refused: number | null;
/** The server replies when this is over. */
let gate: Promise<void>;

beforeEach(() => {
  client = new QueryClient();
  sent = [];
  refused = null;
  gate = Promise.resolve();
  forgetUndo();
  for (const { id } of currentToasts()) dismissToast(id);
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    if (init.method === "GET") return Response.json({ data: { media: all, next_cursor: null } });
    sent.push({ path, keepalive: init.keepalive, body: JSON.parse(String(init.body)) });
    const number = sent.length - 1;
    await gate;
    const error = { code: "E_INTERNAL", message: "It broke.", request_id: "r1" };
    return number === refused
      ? Response.json({ error }, { status: 500 })
      : Response.json({ data: { media: [] } });
  });
  show(all);
});

const all = [
  readyMedia({ id: "a", title: "On tides", tags: ["sea"], state: "reading" }),
  readyMedia({ id: "b", tags: ["Moon", "sea"] }),
];

function show(items: typeof all): void {
  for (const query of [{ archived: false }, {}]) {
    client.setQueryData<ListData>(listKey(query), firstPage({ items, nextCursor: null }));
  }
}

/** Lets the server wait; returns how to let it reply. */
function hold(): () => void {
  let release = () => {};
  gate = new Promise((resolve) => {
    release = resolve;
  });
  return release;
}

const item = (id: string) => findItem(client, id) as Media;
const bodies = () => sent.map(({ body }) => body);
const inbox = () => {
  const data = client.getQueryData<ListData>(listKey({ archived: false }));
  return data && rowsOf(data).items.map((one) => one?.id);
};
const told = () => currentToasts().map(({ text }) => text);
const arrived = (count: number) => waitUntil(() => expect(sent).toHaveLength(count));

it("archives at once, says so, and takes it back once", async () => {
  toggleMark(client, [item("a")], "archived");
  expect(inbox()).toEqual(["b"]);
  expect(told()).toEqual(["Archived: “On tides”."]);
  undoLast();
  undoLast();
  await arrived(2);
  expect(bodies()).toEqual([
    { media_ids: ["a"], archived: true },
    { media_ids: ["a"], archived: false },
  ]);
  expect(item("a").archived).toBe(false);
  expect(told()).toEqual([]);
});

it("changes only what is not so yet, and all of them the other way when all are", async () => {
  toggleMark(client, [item("a")], "favourite");
  toggleMark(client, [item("a"), item("b")], "favourite");
  toggleMark(client, [item("a"), item("b")], "favourite");
  await arrived(3);
  expect(bodies()).toEqual([
    { media_ids: ["a"], favourite: true },
    { media_ids: ["b"], favourite: true },
    { media_ids: ["a", "b"], favourite: false },
  ]);
});

it("shows what was before when the server refuses, says why, and offers no undo", async () => {
  refused = 0;
  toggleMark(client, [item("a")], "favourite");
  expect(item("a").favourite).toBe(true);
  await waitUntil(() => expect(told()).toEqual(["“On tides” was not changed: It broke."]));
  expect(item("a").favourite).toBe(false);
  undoLast();
  expect(sent).toHaveLength(1);
});

it("gives each item the state back that it had", async () => {
  markFinished(client, [item("a"), item("b")]);
  expect([item("a").state, item("b").state]).toEqual(["finished", "finished"]);
  undoLast();
  await arrived(3);
  expect(bodies()).toEqual([
    { media_ids: ["a", "b"], state: "finished" },
    { media_ids: ["a"], state: "reading" },
    { media_ids: ["b"], state: "unread" },
  ]);
});

it("sends what waits for its turn when the page is left", async () => {
  const release = hold();
  toggleMark(client, [item("a")], "archived");
  changeTags(client, [item("a")], { addTags: ["tide"], removeTags: [] });
  await arrived(1);
  window.dispatchEvent(new Event("pagehide"));
  await arrived(2);
  expect(sent.map(({ keepalive }) => keepalive)).toEqual([true, true]);
  window.dispatchEvent(new Event("pageshow"));
  release();
});

it("makes what is finished unread again", async () => {
  toggleFinished(client, [item("a")]);
  toggleFinished(client, [item("a")]);
  await arrived(2);
  expect(item("a").state).toBe("unread");
});

it("takes back only the tags that it put on or took off", async () => {
  changeTags(client, [item("a"), item("b")], { addTags: ["moon", "new"], removeTags: ["sea"] });
  expect(item("a").tags).toEqual(["moon", "new"]);
  expect(item("b").tags).toEqual(["Moon", "new"]);
  undoLast();
  await arrived(3);
  expect(bodies()).toEqual([
    { media_ids: ["a", "b"], add_tags: ["moon", "new"], remove_tags: ["sea"] },
    { media_ids: ["a"], add_tags: ["sea"], remove_tags: ["moon", "new"] },
    { media_ids: ["b"], add_tags: ["sea"], remove_tags: ["new"] },
  ]);
  expect([item("a").tags, item("b").tags]).toEqual([["sea"], ["Moon", "sea"]]);
});

it("sends one change after the other", async () => {
  const release = hold();
  toggleMark(client, [item("a")], "archived");
  await arrived(1);
  toggleMark(client, [item("a")], "archived");
  await Promise.resolve();
  expect(sent).toHaveLength(1);
  release();
  await arrived(2);
  expect(bodies()[1]).toEqual({ media_ids: ["a"], archived: false });
});

it("is not undone by answers that do not know of it yet", async () => {
  const release = hold();
  toggleMark(client, [item("a")], "archived");
  const options = { cursor: null, limit: 50, signal: new AbortController().signal };
  const page = await loadPage({ archived: false }, options);
  expect(page.items.map(({ id }) => id)).toEqual(["b"]);
  applyMediaEvent(client, { media_id: "a", media: readyMedia({ id: "a", title: "Told" }) });
  expect(inbox()).toEqual(["b"]);
  expect(item("a")).toMatchObject({ archived: true, title: "Told" });
  release();
});

it("goes through many items in several requests, and keeps what was done before a refusal", async () => {
  const many = Array.from({ length: 250 }, (_, at) => readyMedia({ id: `m${at}` }));
  show(many);
  refused = 1;
  const release = hold();
  toggleMark(client, many, "archived");
  await arrived(1);
  expect(inbox()).toEqual([]);
  expect(told()).toEqual(["Archived: 250 items.", "Working: 0 of 250 items…"]);
  release();
  const refusal = "150 items were not changed: It broke. 100 others were changed.";
  await waitUntil(() => expect(told()).toEqual(["Archived: 250 items.", refusal]));
  expect(bodies().map(({ media_ids }) => media_ids.length)).toEqual([100, 100]);
  expect([item("m99").archived, item("m100").archived]).toEqual([true, false]);
});

it("removes several items, and puts them back", async () => {
  const removal = removeItems(client, [item("a"), item("b")]);
  expect(inbox()).toEqual([]);
  await removal;
  expect(told()).toEqual(["Removed: 2 items."]);
  undoLast();
  await arrived(2);
  expect(sent.map(({ path }) => path)).toEqual([
    "/api/media/bulk/remove",
    "/api/media/bulk/restore",
  ]);
  expect(bodies()[1]).toEqual({ media_ids: ["a", "b"] });
});

it("takes back a removal that is still on its way", async () => {
  const release = hold();
  const removal = removeItems(client, [item("a")]);
  undoLast();
  release();
  await removal;
  await arrived(2);
  expect(sent[1]).toMatchObject({ path: "/api/media/bulk/restore", body: { media_ids: ["a"] } });
});

it("says when items could not be removed", async () => {
  refused = 0;
  await removeItems(client, [item("a")]);
  expect(told()).toEqual(["“On tides” was not removed: It broke."]);
});
