import { expect, it } from "vitest";
import { completionsFor, isUnfinished, withFilter } from "./filters";

const TAGS = ["Café", "sea", "sea birds", "season"];
const complete = (query: string) => completionsFor(query, TAGS).map((one) => one.query);

it("completes the names of tags, with quotes where they are needed", () => {
  expect(complete("tide tag:se")).toEqual([
    "tide tag:sea ",
    'tide tag:"sea birds" ',
    "tide tag:season ",
  ]);
  expect(complete('tag:"sea b')).toEqual(['tag:"sea birds" ']);
  expect(complete("-tag:cafe")).toEqual(["-tag:Café "]);
});

it("completes what a filter can be", () => {
  expect(complete("kind:p")).toEqual(["kind:pdf ", "kind:podcast "]);
  expect(complete("is:")).toHaveLength(5);
  expect(completionsFor("IN:t", TAGS)).toEqual([{ label: "IN:title", query: "IN:title " }]);
});

it.each(["", "tide", "tag:sea ", "kind:pdf", "site:se", "vintage:se", 'tag:"sea birds"'])(
  "has nothing to add to %j",
  (query) => {
    expect(complete(query)).toEqual([]);
  },
);

it("tells a filter that is being typed from a wrong one", () => {
  expect(["is:", "is:unr", "tide kind:p"].map(isUnfinished)).toEqual([true, true, true]);
  expect(["is:odd", "is:unr tide", "tide"].map(isUnfinished)).toEqual([false, false, false]);
});

it("begins a filter after the words", () => {
  expect(withFilter("", "tag:")).toBe("tag:");
  expect(withFilter("tide ", "tag:")).toBe("tide tag:");
});
