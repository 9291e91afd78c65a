import { expect, it } from "vitest";
import { relativeTime } from "./relativeTime";

const now = new Date("2026-11-15T12:00:00Z");

it.each([
  ["2026-11-15T11:59:31Z", "just now"],
  ["2026-11-15T12:00:20Z", "just now"],
  ["2026-11-15T11:58:01Z", "1 minute ago"],
  ["2026-11-15T09:30:00Z", "2 hours ago"],
  ["2026-11-14T11:00:00Z", "yesterday"],
  ["2026-11-05T12:00:00Z", "last week"],
  ["2026-08-10T12:00:00Z", "3 months ago"],
  ["2024-01-01T00:00:00Z", "2 years ago"],
])("%s is %s", (at, words) => {
  expect(relativeTime(new Date(at), now)).toBe(words);
});
