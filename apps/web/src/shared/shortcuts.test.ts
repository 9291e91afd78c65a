// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { addShortcuts, currentShortcuts, runShortcut, setShortcutsOn } from "./shortcuts";

let remove = () => {};
const run = vi.fn();

beforeEach(() => {
  run.mockClear();
  document.addEventListener("keydown", runShortcut);
  remove = addShortcuts([{ keys: ["a"], label: "Add", group: "Everywhere", run }]);
});

afterEach(() => {
  remove();
  setShortcutsOn(true);
  document.removeEventListener("keydown", runShortcut);
  document.body.innerHTML = "";
});

function press(key: string, more: KeyboardEventInit = {}, target: Element = document.body) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  return event;
}

function inside(html: string): Element {
  document.body.innerHTML = html;
  return document.body.querySelector(".here") as Element;
}

it("runs on its key and on no other", () => {
  press("b");
  expect(run).not.toHaveBeenCalled();
  expect(press("a").defaultPrevented).toBe(true);
  expect(run).toHaveBeenCalledTimes(1);
});

it.each([
  ["Ctrl", { ctrlKey: true }],
  ["Meta", { metaKey: true }],
  ["Alt", { altKey: true }],
  ["an input method", { isComposing: true }],
])("leaves the key alone with %s", (_what, more) => {
  press("a", more);
  expect(run).not.toHaveBeenCalled();
});

it.each([
  "<input class=here>",
  "<textarea class=here></textarea>",
  "<select class=here></select>",
  "<div role=menu><button class=here></button></div>",
  "<dialog open></dialog><p class=here></p>",
])("is silent in %s", (html) => {
  press("a", {}, inside(html));
  expect(run).not.toHaveBeenCalled();
});

it.each(["<button class=here></button>", "<input type=checkbox class=here>"])(
  "runs from %s, which takes no text",
  (html) => {
    press("a", {}, inside(html));
    expect(run).toHaveBeenCalledTimes(1);
  },
);

it("lets the newest one run, and the older one again once that is gone", () => {
  const newer = vi.fn();
  const removeNewer = addShortcuts([{ keys: ["a"], label: "Other", group: "Here", run: newer }]);
  press("a");
  expect([run.mock.calls.length, newer.mock.calls.length]).toEqual([0, 1]);
  removeNewer();
  press("a");
  expect([run.mock.calls.length, newer.mock.calls.length]).toEqual([1, 1]);
  expect(currentShortcuts()).toHaveLength(1);
});

it("can be switched off", () => {
  setShortcutsOn(false);
  press("a");
  expect(run).not.toHaveBeenCalled();
});
