import { expect, it } from "vitest";
import type { Unplaced } from "../../api/unplaced";
import { testMedia } from "../../testMedia";
import { groupUnplaced } from "./groups";
import { unplacedText } from "./unplacedText";

const one = (more: Partial<Unplaced>): Unplaced => ({
  id: "u1",
  media_id: "m1",
  quote: "first line\nsecond line",
  prefix: "",
  suffix: "",
  note: null,
  color: null,
  page: null,
  state: "not_found",
  created_at: "2026-01-01T00:00:00Z",
  ...more,
});

it("groups by what can be done, without empty groups", () => {
  const list = [
    one({ id: "a", state: "waiting" }),
    one({ id: "b" }),
    one({ id: "c", quote: "", note: "whole", state: "waiting" }),
  ];
  const found = groupUnplaced(list).map(({ kind, list: some }) => [kind, some.map(({ id }) => id)]);
  expect(found).toEqual([
    ["not-found", ["b"]],
    ["waiting", ["a"]],
    ["notes", ["c"]],
  ]);
  expect(groupUnplaced([])).toEqual([]);
});

it("copies the quote with its note and source", () => {
  const media = testMedia({ title: "On [tides]", requested_url: "https://a.example/x" });
  const highlight = one({ note: "mine", page: "12" });
  expect(unplacedText(highlight, media, "markdown")).toBe(
    "> first line\n> second line\n\nmine\n\n— [On \\[tides\\]](<https://a.example/x>), p. 12",
  );
  expect(unplacedText(highlight, media, "text")).toBe(
    "“first line\nsecond line”\n\nmine\n\n— On [tides], p. 12\nhttps://a.example/x",
  );
  expect(unplacedText(one({ quote: "", note: "only this" }), media, "text")).toMatch(/^only this/);
});
