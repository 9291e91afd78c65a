import { beforeEach, expect, it } from "vitest";
import { type Change, Outbox } from "./outbox";

const create = (start: number, color = "yellow"): Change => ({
  kind: "create",
  fragmentId: "f1",
  body: { start_offset: start, end_offset: start + 5, exact: "", prefix: "", suffix: "", color },
});
const paint = (id: string, color: string): Change => ({ kind: "update", id, changes: { color } });
const move = (id: string, start_offset: number): Change => ({
  kind: "update",
  id,
  changes: { start_offset },
});
const remove = (id: string): Change => ({ kind: "delete", id });

let outbox: Outbox;
beforeEach(() => {
  localStorage.clear();
  outbox = new Outbox("u1");
});

const waiting = (mediaId = "m1") => outbox.waiting(mediaId).map(({ change }) => change);

it("keeps what was not answered, by person and item, across visits", () => {
  const ticket = outbox.add("m1", create(1));
  outbox.add("m1", create(2));
  outbox.add("m2", create(3));
  outbox.remove(ticket);
  expect(new Outbox("u1").waiting("m1").map(({ change }) => change)).toEqual([create(2)]);
  expect(new Outbox("u2").waiting("m1")).toEqual([]);
});

it.each<[string, Change[], Change[]]>([
  ["a newer colour", [paint("h1", "blue"), paint("h1", "pink")], [paint("h1", "pink")]],
  ["a deletion", [paint("h1", "blue"), remove("h1")], [remove("h1")]],
  ["the same passage again", [create(1), create(1, "green")], [create(1, "green")]],
])("forgets what %s makes pointless", (_, added, left) => {
  for (const change of added) outbox.add("m1", change);
  expect(waiting()).toEqual(left);
});

it.each<[string, Change[]]>([
  ["different highlights", [paint("h1", "blue"), paint("h2", "pink")]],
  ["different sides of one highlight", [move("h1", 4), paint("h1", "pink")]],
  ["different passages", [create(1), create(2)]],
])("keeps both changes of %s", (_, added) => {
  for (const change of added) outbox.add("m1", change);
  expect(waiting()).toEqual(added);
});

it("survives nonsense in storage", () => {
  localStorage.setItem("nexus.outbox.u1", '"?"');
  expect(waiting()).toEqual([]);
});
