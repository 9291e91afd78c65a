import { expect, it } from "vitest";
import type { Highlight } from "../../../api/highlights";
import type { Change, KeptChange } from "./outbox";
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
  const page = { number: 3, label: "3" };
  const rest = { annotation: null, page, end_page: null };
  return { id, fragment_id: "f1", ...span(start), color, ...times, ...rest };
}

function create(id: string, start: number, color: Highlight["color"] = "green"): Change {
  return { kind: "create", id, fragmentId: "f1", body: { ...span(start), color }, at: AT };
}

function show(list: Highlight[], changes: Change[], { late = [] as number[] } = {}) {
  const kept: KeptChange[] = changes.map((change, index) => {
    return { ticket: `${index}`, mediaId: "m1", change, about: "", tried: false };
  });
  return withWaiting(list, kept, new Set(late.map(String)));
}

const brief = (shown: ReturnType<typeof show>) =>
  shown.map(({ id, pending, color, start_offset }) => [id, pending, color, start_offset]);

it("lays new, changed and deleted highlights over the server's list", () => {
  const shown = show(
    [stored("h1", 0), stored("h2", 10), stored("h3", 20)],
    [
      create("new-1", 30),
      { kind: "update", id: "h1", changes: { color: "pink" } },
      { kind: "update", id: "new-1", changes: { start_offset: 31, end_offset: 36 } },
      { kind: "delete", id: "h2" },
    ],
  );
  expect(brief(shown)).toEqual([
    ["h1", false, "pink", 0],
    ["h3", false, "yellow", 20],
    ["new-1", true, "green", 31],
  ]);
});

it("shows a highlight once when the server has what still waits here", () => {
  const waiting: Change[] = [
    create("new-1", 0),
    { kind: "update", id: "new-1", changes: { color: "blue" } },
  ];
  // The response was lost, or another device highlighted the same passage.
  expect(brief(show([stored("new-1", 0)], waiting))).toEqual([["new-1", false, "blue", 0]]);
  expect(brief(show([stored("h1", 0)], waiting))).toEqual([["new-1", true, "blue", 0]]);
  const twice = show([], [create("new-1", 0), create("new-2", 0)]);
  expect(twice).toHaveLength(1);
});

it("shows the note of the highlight that another device was faster with", () => {
  const times = { created_at: AT, updated_at: AT };
  const annotation = { id: "a1", highlight_id: "h1", body: "theirs", ...times };
  const [shown] = show([{ ...stored("h1", 0), annotation }], [create("new-1", 0)]);
  expect([shown?.id, shown?.annotation?.body]).toEqual(["new-1", "theirs"]);
});

it("highlights a passage again whose highlight was just deleted", () => {
  const changes: Change[] = [{ kind: "delete", id: "h1" }, create("new-1", 0)];
  const shown = show([stored("h1", 0)], changes);
  expect(brief(shown)).toEqual([["new-1", true, "green", 0]]);
});

it("brings back what was deleted, and changes nothing that is not there", () => {
  const changes: Change[] = [
    { kind: "delete", id: "h1" },
    { kind: "restore", id: "h1", highlight: stored("h1", 0) },
    { kind: "update", id: "gone", changes: { color: "pink" } },
    { kind: "delete", id: "gone" },
  ];
  expect(brief(show([stored("h1", 0)], changes))).toEqual([["h1", false, "yellow", 0]]);
});

it("says which highlights wait, and is the same object while nothing changes", () => {
  const list = [stored("h1", 0), stored("h2", 10)];
  const changes: Change[] = [{ kind: "update", id: "h1", changes: { color: "pink" } }];
  expect(show(list, changes).map(({ waiting }) => waiting)).toEqual([false, false]);
  const late = show(list, changes, { late: [0] });
  expect(late.map(({ waiting }) => waiting)).toEqual([true, false]);
  expect(show(list, changes)[1]).toBe(late[1]);
});

it("forgets the page of a passage that moves, and keeps it for another colour", () => {
  const move = { kind: "update", id: "a", changes: span(40) } as const;
  const paint = { kind: "update", id: "a", changes: { color: "blue" } } as const;
  expect(show([stored("a", 0)], [move])[0]).toMatchObject({ page: null, start_offset: 40 });
  expect(show([stored("a", 0)], [paint])[0]).toMatchObject({ page: { number: 3 }, color: "blue" });
  expect(show([], [create("b", 0)])[0]).toMatchObject({ page: null, end_page: null });
});
