import { Tag } from "lucide-react";
import { expect, it } from "vitest";
import { type Command, matchingCommands } from "./commands";

const named = (name: string, also = ""): Command => ({
  ...{ key: name, group: "Go to", name, also, icon: Tag, href: "/", atFirst: true },
});
const ALL = [
  named("Inbox"),
  named("Essays on settings"),
  named("Settings", "preferences"),
  named("Café notes"),
];
const found = (query: string) => matchingCommands(ALL, query).map(({ name }) => name);

it("finds names by the beginnings of their words, without case and accents", () => {
  expect(found("INB")).toEqual(["Inbox"]);
  expect(found("cafe no")).toEqual(["Café notes"]);
  expect(found("notes cafe")).toEqual(["Café notes"]);
  expect(found("box")).toEqual([]);
});

it("puts first what begins with the query", () => {
  expect(found("sett")).toEqual(["Settings", "Essays on settings"]);
});

it("knows other names, and finds nothing by nothing", () => {
  expect(found("pref")).toEqual(["Settings"]);
  expect(found("  ")).toEqual([]);
  expect(found("*-")).toEqual([]);
});
