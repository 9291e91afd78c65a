import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { useListWindow } from "./useListWindow";

const ROW = 112;
const BAR = 45;

let top: number;
let resized: (() => void)[];

beforeEach(() => {
  top = 100;
  resized = [];
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: () => void) {
        resized.push(callback);
      }
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  // Nothing is laid out here, and what cannot be scrolled is not.
  vi.spyOn(document.documentElement, "scrollHeight", "get").mockReturnValue(20_000);
  window.scrollTo({ top: 0, behavior: "instant" });
});

function drawn(keys: string[]) {
  const element = document.createElement("ul");
  element.getBoundingClientRect = () => new DOMRect(0, top - window.scrollY, 800, 5000);
  const list = { current: element };
  return renderHook(({ keys }) => useListWindow({ list, keys, focused: -1, kept: undefined }), {
    initialProps: { keys },
  });
}

function scrollTo(y: number): void {
  act(() => {
    window.scrollTo({ top: y, behavior: "instant" });
    window.dispatchEvent(new Event("scroll"));
  });
}

/** Something of this height comes above the list. */
function addAbove(height: number): void {
  top += height;
  for (const callback of resized) callback();
}

const keys = Array.from({ length: 100 }, (_, number) => `row ${number}`);

test("what appears above the list, and goes, moves nobody below", () => {
  drawn(keys);
  scrollTo(3000);
  act(() => addAbove(BAR));
  expect(window.scrollY).toBe(3000 + BAR);
  act(() => addAbove(-BAR));
  expect(window.scrollY).toBe(3000);
});

test("at its top a list moves with what is above it", () => {
  drawn(keys);
  scrollTo(50);
  act(() => addAbove(BAR));
  expect(window.scrollY).toBe(50);
});

test("what appears above the list together with a row is made up for once", () => {
  const { rerender } = drawn(keys);
  scrollTo(3000);
  act(() => {
    addAbove(BAR);
    rerender({ keys: ["new", ...keys] });
  });
  expect(window.scrollY).toBe(3000 + ROW + BAR);
});
