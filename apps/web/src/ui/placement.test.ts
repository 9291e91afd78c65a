import { expect, it } from "vitest";
import { placeBeside } from "./placement";

const WINDOW = { width: 320, height: 640 };
const at = (left: number, top: number) => ({ left, top, right: left + 40, bottom: top + 40 });

it.each([
  ["under its button", at(100, 100), { width: 120, height: 90 }, { left: 100, top: 144 }],
  ["inside at the right", at(270, 100), { width: 120, height: 90 }, { left: 192, top: 144 }],
  ["above at the bottom", at(100, 580), { width: 120, height: 90 }, { left: 100, top: 486 }],
  ["wide ones from the left edge", at(100, 8), { width: 304, height: 90 }, { left: 8, top: 52 }],
  ["too wide ones from there too", at(100, 8), { width: 400, height: 90 }, { left: 8, top: 52 }],
])("puts %s", (_where, button, popup, place) => {
  expect(placeBeside(button, popup, WINDOW, { align: "start" })).toMatchObject(place);
});

it("puts the right edge under the button's, and never past the left edge of the window", () => {
  const popup = { width: 200, height: 90 };
  expect(placeBeside(at(270, 8), popup, WINDOW, { align: "end" }).left).toBe(110);
  expect(placeBeside(at(100, 8), popup, WINDOW, { align: "end" }).left).toBe(8);
});

it("is no higher than the larger side has room for", () => {
  const long = { width: 200, height: 2000 };
  expect(placeBeside(at(0, 8), long, WINDOW, { align: "start" })).toEqual({
    left: 8,
    top: 52,
    maxHeight: 580,
  });
  expect(placeBeside(at(0, 500), long, WINDOW, { align: "start" })).toEqual({
    left: 8,
    top: 8,
    maxHeight: 488,
  });
});
