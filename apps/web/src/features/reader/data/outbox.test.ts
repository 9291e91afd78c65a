// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { Drafts } from "../notes/drafts";
import { type Change, MAX_KEPT, type NewHighlight, Outbox } from "./outbox";

type Creation = Change & { kind: "create" };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const create = (id: string, start = 1): Change => ({
  kind: "create",
  id,
  fragmentId: "f1",
  body: {
    start_offset: start,
    end_offset: start + 5,
    exact: "",
    prefix: "",
    suffix: "",
    color: "yellow",
  },
  at: "2026-11-01T00:00:00Z",
});
const paint = (id: string, color: NewHighlight["color"]): Change => ({
  kind: "update",
  id,
  changes: { color },
});
const move = (id: string, start_offset: number): Change => ({
  kind: "update",
  id,
  changes: { start_offset },
});
const remove = (id: string): Change => ({ kind: "delete", id });
const restore = (id: string): Change => ({
  kind: "restore",
  id,
  highlight: { id } as never,
});

let outbox: Outbox;
beforeEach(() => {
  localStorage.clear();
  outbox = new Outbox("u1");
});

const waiting = () => outbox.waiting().map(({ change }) => change);

it("keeps what was not confirmed, by person, in order, across visits", () => {
  const ticket = outbox.add("m1", create("new-1"), "one");
  outbox.add("m1", create("new-2"), "two");
  outbox.add("m2", create("new-3"), "three");
  outbox.remove(ticket ?? "");
  const next = new Outbox("u1").waiting();
  expect(next.map(({ mediaId, about }) => [mediaId, about])).toEqual([
    ["m1", "two"],
    ["m2", "three"],
  ]);
  expect(new Outbox("u2").waiting()).toEqual([]);
});

it.each<[string, Change[], Change[]]>([
  ["a newer colour", [paint("h1", "blue"), paint("h1", "pink")], [paint("h1", "pink")]],
  ["a deletion", [paint("h1", "blue"), remove("h1")], [remove("h1")]],
  ["the deletion of what was never sent", [create("new-1"), remove("new-1")], []],
  ["undoing a deletion that was never sent", [remove("h1"), restore("h1")], []],
])("forgets what %s makes pointless", (_, added, left) => {
  for (const change of added) outbox.add("m1", change, "");
  expect(waiting()).toEqual(left);
});

it.each<[string, Change[]]>([
  ["different highlights", [paint("h1", "blue"), paint("h2", "pink")]],
  ["different sides of one highlight", [move("h1", 4), paint("h1", "pink")]],
  ["a new highlight", [create("new-1"), paint("new-1", "pink")]],
])("keeps both changes of %s", (_, added) => {
  for (const change of added) outbox.add("m1", change, "");
  expect(waiting()).toEqual(added);
});

it("takes nothing back that the server may have", () => {
  for (const change of [create("new-1"), remove("new-1"), restore("new-1")]) {
    outbox.add("m1", change, "");
    for (const kept of outbox.waiting()) outbox.markTried(kept);
  }
  expect(waiting().map(({ kind }) => kind)).toEqual(["create", "delete", "restore"]);
});

it("forgets a refused highlight with every change to it", () => {
  outbox.add("m1", create("new-1"), "");
  outbox.add("m1", paint("new-1", "pink"), "");
  outbox.add("m1", paint("h2", "pink"), "");
  outbox.removeAll("new-1");
  expect(waiting()).toEqual([paint("h2", "pink")]);
});

it("sends what waits for a new highlight to the one it turned out to be", () => {
  const ticket = outbox.add("m1", create("new-1"), "") ?? "";
  outbox.add("m1", paint("new-1", "pink"), "");
  outbox.add("m1", paint("h2", "blue"), "");
  outbox.adopt(ticket, "new-1", "h1");
  expect(waiting()).toEqual([paint("h1", "pink"), paint("h2", "blue")]);
  for (const kept of outbox.waiting()) outbox.markTried(kept);
  outbox.add("m1", remove("h1"), "");
  for (const kept of outbox.waiting()) outbox.markTried(kept);
  outbox.add("m1", restore("h1"), "");
  outbox.adopt("", "h1", "h9");
  expect(waiting().at(-1)).toEqual(restore("h9"));
});

it("knows which highlights the server has not confirmed, and which it may have", () => {
  const ticket = outbox.add("m1", create("new-1"), "") ?? "";
  expect(outbox.creationOf("new-1")?.tried).toBe(false);
  for (const kept of outbox.waiting()) outbox.markTried(kept);
  expect(outbox.creationOf("new-1")?.tried).toBe(true);
  outbox.remove(ticket);
  outbox.add("m1", paint("new-1", "pink"), "");
  expect(outbox.creationOf("new-1")).toBeUndefined();
});

it("says when it is full", () => {
  for (let i = 1; i < MAX_KEPT; i += 1) {
    const kept = { ticket: `${i}`, mediaId: "m1", change: paint(`h${i}`, "blue"), tried: false };
    localStorage.setItem(`nexus.outbox.u1.${i}`, JSON.stringify(kept));
  }
  expect(outbox.isFull()).toBe(false);
  outbox.add("m1", paint("another", "blue"), "");
  expect(outbox.isFull()).toBe(true);
});

it("takes over what the first version kept", () => {
  const { fragmentId, body } = create("new-1") as Creation;
  const old = [
    { ticket: "1", mediaId: "m1", change: { kind: "create", fragmentId, body } },
    { ticket: "2", mediaId: "m1", change: { kind: "delete", id: "h1" } },
  ];
  localStorage.setItem("nexus.outbox.u1", JSON.stringify(old));
  outbox = new Outbox("u1");
  const [first, second] = waiting();
  expect(first).toMatchObject({
    kind: "create",
    id: expect.stringMatching(UUID),
    fragmentId,
    body,
  });
  expect(second).toEqual(remove("h1"));
  expect(new Outbox("u1").waiting()).toHaveLength(2);
});

it("takes over what was kept under names before highlights had their ids from the start", () => {
  const { id: _, ...creation } = create("") as Creation;
  const old: object[] = [
    { ...creation, key: "pending-1" },
    { kind: "update", target: "pending-1", changes: { color: "pink" } },
    { ...creation, key: "pending-2" },
    { kind: "delete", target: "pending-2" },
    { kind: "update", target: "h3", changes: { color: "blue" } },
    { kind: "update", target: "pending-refused", changes: { color: "blue" } },
  ];
  for (const [index, change] of old.entries()) {
    const kept = { ticket: `${index}`, mediaId: "m1", change, about: "", tried: true };
    localStorage.setItem(`nexus.outbox.u1.${index}`, JSON.stringify(kept));
  }
  localStorage.setItem("nexus.names.u1", JSON.stringify({ "pending-2": "h2" }));
  new Drafts("u1").write("pending-1", { body: "a note", base: null });
  outbox = new Outbox("u1");
  const id = waiting()[0]?.id ?? "";
  expect(id).toMatch(UUID);
  const taken = [create(id), paint(id, "pink"), create("h2"), remove("h2"), paint("h3", "blue")];
  expect(waiting()).toEqual(taken);
  expect(new Drafts("u1").read(id)?.body).toBe("a note");
  outbox = new Outbox("u1");
  expect(waiting()).toEqual(taken);
  const left = Object.keys(localStorage).filter((key) => /pending|names/.test(key));
  expect(left).toEqual([]);
});

it("leaves to a tab with an earlier version what that tab adds", () => {
  const { id: _, ...creation } = create("") as Creation;
  const kept = { ticket: "1", mediaId: "m1", change: { ...creation, key: "pending-1" } };
  localStorage.setItem("nexus.outbox.u1.1", JSON.stringify(kept));
  expect(waiting()).toEqual([]);
});

it("survives nonsense in storage", () => {
  localStorage.setItem("nexus.outbox.u1", '"?"');
  localStorage.setItem("nexus.outbox.u1.1", "[not json");
  localStorage.setItem("nexus.outbox.u1.2", '{"ticket": "2"}');
  expect(new Outbox("u1").waiting()).toEqual([]);
});
