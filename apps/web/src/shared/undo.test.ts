import { beforeEach, expect, it } from "vitest";
import { currentToasts, dismissToast } from "../ui/toasts";
import { forgetUndo, offerUndo, undoLast } from "./undo";

let undone: string[];
const offer = (what: string) => offerUndo(what, () => undone.push(what));
const shown = () => currentToasts().map(({ text }) => text);

beforeEach(() => {
  undone = [];
  forgetUndo();
  for (const { id } of currentToasts()) dismissToast(id);
});

it("takes back the last thing first, each once, and its message with it", () => {
  offer("one");
  offer("two");
  undoLast();
  expect(undone).toEqual(["two"]);
  expect(shown()).toEqual(["one"]);
  undoLast();
  undoLast();
  expect(undone).toEqual(["two", "one"]);
});

it("takes nothing back twice, whichever way it was asked for", () => {
  offer("one");
  offer("two");
  currentToasts()[1]?.action?.run();
  undoLast();
  expect(undone).toEqual(["two", "one"]);
});

it("still knows what to take back when the message has gone", () => {
  for (const what of ["one", "two", "three", "four"]) offer(what);
  expect(shown()).toEqual(["two", "three", "four"]);
  for (let times = 0; times < 4; times += 1) undoLast();
  expect(undone).toEqual(["four", "three", "two", "one"]);
});

it("forgets an offer that is withdrawn", () => {
  offer("one");
  offer("two")();
  expect(shown()).toEqual(["one"]);
  undoLast();
  expect(undone).toEqual(["one"]);
});
