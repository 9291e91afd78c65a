import { expect, it } from "vitest";
import type { Highlight } from "../../../api/highlights";
import { type Change, isPendingKey, type KeptChange } from "./outbox";
import { withWaiting } from "./withWaiting";

const span = (start: number) => ({
  start_offset: start,
  end_offset: start + 5,
  exact: "words",
  prefix: "",
  suffix: "",
});
const AT = "2026-11-01T00:00:00Z";

function stored(id: string, start: number, color: Highlight["color"] = "yellow"): Highlight {
  const times = { created_at: AT, updated_at: AT };
  return { id, fragment_id: "f1", ...span(start), color, ...times, annotation: null };
}

function create(key: string, start: number, color: Highlight["color"] = "green"): Change {
  return { kind: "create", key, fragmentId: "f1", body: { ...span(start), color }, at: AT };
}

function show(
  list: Highlight[],
  changes: Change[],
  { names = {}, late = [] as number[] }: { names?: Record<string, string>; late?: number[] } = {},
) {
  const kept: KeptChange[] = changes.map((change, index) => {
    return { ticket: `${index}`, mediaId: "m1", change, about: "", tried: false };
  });
  const idOf = (target: string) => (isPendingKey(target) ? (names[target] ?? null) : target);
  const keysById = () => new Map(Object.entries(names).map(([key, id]) => [id, key]));
  return withWaiting(list, kept, { idOf, keysById }, new Set(late.map(String)));
}

const brief = (shown: ReturnType<typeof show>) =>
  shown.map(({ id, key, color, start_offset }) => [id, key, color, start_offset]);

it("lays new, changed and deleted highlights over the server's list", () => {
  const shown = show(
    [stored("h1", 0), stored("h2", 10), stored("h3", 20)],
    [
      create("pending-1", 30),
      { kind: "update", target: "h1", changes: { color: "pink" } },
      { kind: "update", target: "pending-1", changes: { start_offset: 31, end_offset: 36 } },
      { kind: "delete", target: "h2" },
    ],
  );
  expect(brief(shown)).toEqual([
    ["h1", "h1", "pink", 0],
    ["h3", "h3", "yellow", 20],
    ["pending-1", "pending-1", "green", 31],
  ]);
});

it("shows a highlight once when the server has what still waits here", () => {
  const waiting: Change[] = [
    create("pending-1", 0),
    { kind: "update", target: "pending-1", changes: { color: "blue" } },
  ];
  // The response was lost: only the span tells. Then the id is known, first or last.
  for (const names of [{}, { "pending-1": "h1" }]) {
    const shown = show([stored("h1", 0)], waiting, { names });
    expect(brief(shown)).toEqual([["h1", "pending-1", "blue", 0]]);
  }
  const twice = show([], [create("pending-1", 0), create("pending-2", 0)]);
  expect(twice).toHaveLength(1);
});

it("keeps the key of a card when its highlight gets an id", () => {
  const shown = show([stored("h1", 0)], [], { names: { "pending-1": "h1" } });
  expect(brief(shown)).toEqual([["h1", "pending-1", "yellow", 0]]);
});

it("highlights a passage again whose highlight was just deleted", () => {
  const changes: Change[] = [{ kind: "delete", target: "h1" }, create("pending-1", 0)];
  const shown = show([stored("h1", 0)], changes);
  expect(brief(shown)).toEqual([["pending-1", "pending-1", "green", 0]]);
});

it("brings back what was deleted, and changes nothing that is not there", () => {
  const changes: Change[] = [
    { kind: "delete", target: "h1" },
    { kind: "restore", target: "h1", highlight: stored("h1", 0) },
    { kind: "update", target: "gone", changes: { color: "pink" } },
    { kind: "delete", target: "gone" },
  ];
  expect(brief(show([stored("h1", 0)], changes))).toEqual([["h1", "h1", "yellow", 0]]);
});

it("says which highlights wait, and is the same object while nothing changes", () => {
  const list = [stored("h1", 0), stored("h2", 10)];
  const changes: Change[] = [{ kind: "update", target: "h1", changes: { color: "pink" } }];
  expect(show(list, changes).map(({ waiting }) => waiting)).toEqual([false, false]);
  const late = show(list, changes, { late: [0] });
  expect(late.map(({ waiting }) => waiting)).toEqual([true, false]);
  expect(show(list, changes)[1]).toBe(late[1]);
});
