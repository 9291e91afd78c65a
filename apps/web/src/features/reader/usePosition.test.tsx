import { renderHook } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { keep } from "../../ui/localStore";
import type { ReadingText } from "./text/readingText";
import { oneFragment } from "./text/textSpace";
import { usePosition } from "./usePosition";

const LINE = 10;

/** A text whose lines are ten pixels high and ten characters long. */
class Lines {
  readonly root = document.createElement("section");
  readonly went: number[] = [];
  private top = 0;

  constructor() {
    vi.spyOn(this.root, "getBoundingClientRect").mockImplementation(
      () => new DOMRect(0, -this.top, 100, 10_000),
    );
  }

  offsetBelow(y: number): number {
    return Math.ceil((y + this.top) / LINE) * LINE;
  }

  firstLine({ start }: { start: number }): DOMRect {
    return new DOMRect(0, Math.floor(start / LINE) * LINE - this.top, 100, LINE);
  }

  scrollTo(offset: number, top: number): void {
    this.went.push(offset);
    this.top = offset - top;
  }

  /** As a person does it, by whatever means. */
  jump(offset: number): void {
    this.top = offset - 72;
  }
}

const fragment = { id: "f1", idx: 0, length: 10_000 };
const space = oneFragment(fragment);
const still = { isLookingUp: () => false, keep: () => undefined };
const onProgress = () => undefined;

function open(more: Partial<Parameters<typeof usePosition>[0]> = {}) {
  const text = new Lines();
  const input = {
    ...{ userId: "u1", mediaId: "m1", space, elsewhere: null, layout: "serif", skip: false },
    ...{ jumps: still, onProgress, text: text as unknown as ReadingText },
    ...more,
  };
  const hook = renderHook((props: typeof input) => usePosition(props), { initialProps: input });
  return { text, input, ...hook };
}

beforeEach(() => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  localStorage.clear();
  keep("nexus.position.u1.f1", { offset: 500, at: 1 });
});

it("goes to the last place once, whatever else changes", () => {
  const { text, input, rerender } = open();
  expect(text.went).toEqual([500]);
  text.jump(4_000);
  // Not noted yet: the page has not come to rest.
  rerender({ ...input, space: oneFragment(fragment) });
  rerender({ ...input, jumps: { ...still, isLookingUp: () => true } });
  rerender({ ...input, onProgress: () => undefined });
  expect(text.went).toEqual([500]);
});

it("shows another text of the same words where the person had jumped to", () => {
  const { text, input, result, rerender } = open();
  text.jump(4_000);
  result.current.hold();
  const pages = new Lines();
  rerender({ ...input, text: pages as unknown as ReadingText });
  expect(pages.went).toEqual([4_000]);
});

it("takes no place of pages without text for one of the text that comes", () => {
  keep("nexus.position.u1.m1", { offset: 2_500, at: 1 });
  const { text, input, result, rerender } = open({ space: null });
  expect(text.went).toEqual([2_500]);
  text.jump(7_000);
  result.current.hold();
  const words = new Lines();
  // The outline is known a moment before the pages that have it.
  rerender({ ...input, space });
  rerender({ ...input, space, text: words as unknown as ReadingText });
  expect(text.went).toEqual([2_500]);
  expect(words.went).toEqual([]);
});

it("keeps the line of a jump when letters change before the page came to rest", async () => {
  const { text, input, rerender } = open();
  text.jump(4_000);
  window.dispatchEvent(new Event("scroll"));
  await new Promise((resolve) => requestAnimationFrame(resolve));
  rerender({ ...input, layout: "sans" });
  expect(text.went).toEqual([500, 4_000]);
});

it("does not go to the last place when the address asks for another", () => {
  const { text, input, result, rerender } = open({ skip: true });
  text.jump(3_000);
  result.current.hold();
  const other = new Lines();
  rerender({ ...input, text: other as unknown as ReadingText });
  expect(text.went).toEqual([]);
  expect(other.went).toEqual([3_000]);
});
