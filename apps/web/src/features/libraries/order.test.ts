import { expect, it } from "vitest";
import type { Library } from "../../api/types";
import { canManage, inSidebarOrder } from "./order";

const library = (name: string, more: Partial<Library> = {}): Library => ({
  id: name,
  name,
  is_default: false,
  role: "admin",
  owner_user_id: "u1",
  media_count: 0,
  created_at: "2026-11-01T00:00:00Z",
  updated_at: "2026-11-01T00:00:00Z",
  ...more,
});

it("puts the default library first, then sorts by name as people do", () => {
  const names = ["zebra", "Été", "Part 10", "apple", "Part 9", "Banana"].map((n) => library(n));
  const mine = library("My Library", { is_default: true });
  const sorted = inSidebarOrder([...names, mine]).map((one) => one.name);
  expect(sorted).toEqual(["My Library", "apple", "Banana", "Été", "Part 9", "Part 10", "zebra"]);
});

it("keeps equal names in one order and leaves its input alone", () => {
  const input = [library("Same", { id: "b" }), library("Same", { id: "a" })];
  expect(inSidebarOrder(input).map((one) => one.id)).toEqual(["a", "b"]);
  expect(input.map((one) => one.id)).toEqual(["b", "a"]);
});

it.each([
  ["admin", false, true],
  ["admin", true, false],
  ["member", false, false],
] as const)("%s of a library, default: %s, may manage it: %s", (role, is_default, may) => {
  expect(canManage(library("x", { role, is_default }))).toBe(may);
});
