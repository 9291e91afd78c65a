import { expect, it } from "vitest";
import { checkName } from "./names";

it.each([
  ["Essays", "Essays"],
  ["  Essays \n", "Essays"],
  ["a", "a"],
  ["x".repeat(100), "x".repeat(100)],
  [` ${"x".repeat(100)} `, "x".repeat(100)],
  ["📚".repeat(100), "📚".repeat(100)],
])("takes %j", (text, name) => {
  expect(checkName(text)).toEqual({ name });
});

it.each([
  ["", "Give it a name."],
  [" \t\u00a0 ", "Give it a name."],
  ["x".repeat(101), "At most 100 characters; this has 101."],
  ["📚".repeat(101), "At most 100 characters; this has 101."],
])("refuses %j", (text, problem) => {
  expect(checkName(text)).toEqual({ problem });
});
