import { beforeEach, expect, it } from "vitest";
import { type Change, MAX_KEPT, type NewHighlight, Outbox } from "./outbox";

const create = (key: string, start = 1): Change => ({
  kind: "create",
  key,
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
const paint = (target: string, color: NewHighlight["color"]): Change => ({
  kind: "update",
  target,
  changes: { color },
});
const move = (target: string, start_offset: number): Change => ({
  kind: "update",
  target,
  changes: { start_offset },
});
const remove = (target: string): Change => ({ kind: "delete", target });
const restore = (target: string): Change => ({
  kind: "restore",
  target,
  highlight: {} as never,
});

let outbox: Outbox;
beforeEach(() => {
  localStorage.clear();
  outbox = new Outbox("u1");
});

const waiting = () => outbox.waiting().map(({ change }) => change);

it("keeps what was not confirmed, by person, in order, across visits", () => {
  const ticket = outbox.add("m1", create("pending-1"), "one");
  outbox.add("m1", create("pending-2"), "two");
  outbox.add("m2", create("pending-3"), "three");
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
  ["the deletion of what was never sent", [create("pending-1"), remove("pending-1")], []],
  ["undoing a deletion that was never sent", [remove("h1"), restore("h1")], []],
])("forgets what %s makes pointless", (_, added, left) => {
  for (const change of added) outbox.add("m1", change, "");
  expect(waiting()).toEqual(left);
});

it.each<[string, Change[]]>([
  ["different highlights", [paint("h1", "blue"), paint("h2", "pink")]],
  ["different sides of one highlight", [move("h1", 4), paint("h1", "pink")]],
  ["a new highlight", [create("pending-1"), paint("pending-1", "pink")]],
])("keeps both changes of %s", (_, added) => {
  for (const change of added) outbox.add("m1", change, "");
  expect(waiting()).toEqual(added);
});

it("takes nothing back that the server may have", () => {
  for (const change of [create("pending-1"), remove("pending-1"), restore("pending-1")]) {
    outbox.add("m1", change, "");
    for (const kept of outbox.waiting()) outbox.markTried(kept);
  }
  expect(waiting().map(({ kind }) => kind)).toEqual(["create", "delete", "restore"]);
});

it("forgets a refused highlight with every change to it", () => {
  outbox.add("m1", create("pending-1"), "");
  outbox.add("m1", paint("pending-1", "pink"), "");
  outbox.add("m1", paint("h2", "pink"), "");
  outbox.removeAll("pending-1");
  expect(waiting()).toEqual([paint("h2", "pink")]);
});

it("knows the ids that new highlights got", () => {
  expect(outbox.idOf("pending-1")).toBeNull();
  expect(outbox.idOf("h7")).toBe("h7");
  outbox.nameArrived("pending-1", "h1");
  const next = new Outbox("u1");
  expect(next.idOf("pending-1")).toBe("h1");
  expect(next.keysById().get("h1")).toBe("pending-1");
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

it("takes over what an earlier version kept", () => {
  const { fragmentId, body } = create("pending-1") as Change & { kind: "create" };
  const old = [
    { ticket: "1", mediaId: "m1", change: { kind: "create", fragmentId, body } },
    { ticket: "2", mediaId: "m1", change: { kind: "delete", id: "h1" } },
  ];
  localStorage.setItem("nexus.outbox.u1", JSON.stringify(old));
  outbox = new Outbox("u1");
  const [first, second] = waiting();
  expect(first).toMatchObject({ kind: "create", fragmentId, body });
  expect(second).toEqual({ id: "h1", ...remove("h1") });
  expect(new Outbox("u1").waiting()).toHaveLength(2);
});

it("survives nonsense in storage", () => {
  localStorage.setItem("nexus.outbox.u1", '"?"');
  localStorage.setItem("nexus.outbox.u1.1", "[not json");
  localStorage.setItem("nexus.outbox.u1.2", '{"ticket": "2"}');
  expect(new Outbox("u1").waiting()).toEqual([]);
});
