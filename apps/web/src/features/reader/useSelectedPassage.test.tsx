import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ReadingText, SelectedPassage } from "./text/readingText";
import { useSelectedPassage } from "./useSelectedPassage";

const PASSAGE: SelectedPassage = { passage: { start: 0, end: 5 }, code: false };

/** A text that knows its passages only once it has come, as the pages of a PDF do. */
class LateText {
  readonly root = document.createElement("section");
  private come = false;
  private readonly listeners = new Set<() => void>();

  constructor() {
    this.root.textContent = "Words that are selected.";
    document.body.replaceChildren(this.root);
  }

  selected = () => (this.come ? PASSAGE : null);

  onChange = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  arrive(): void {
    this.come = true;
    for (const listener of this.listeners) listener();
  }
}

let text: LateText;
const selected = (given: LateText | null = text) =>
  renderHook((shown: LateText | null) => useSelectedPassage(shown as unknown as ReadingText), {
    initialProps: given,
  });
const settle = () => act(() => vi.advanceTimersByTime(150));

beforeEach(() => {
  vi.useFakeTimers();
  text = new LateText();
});

afterEach(() => {
  document.getSelection()?.removeAllRanges();
  vi.useRealTimers();
});

function select(): void {
  const words = text.root.firstChild as Text;
  act(() => document.getSelection()?.setBaseAndExtent(words, 0, words, 5));
}

it("is told once the selection has settled, and gone with it", () => {
  text.arrive();
  const { result } = selected();
  select();
  expect(result.current).toBeNull();
  settle();
  expect(result.current).toBe(PASSAGE);
  act(() => document.getSelection()?.removeAllRanges());
  expect(result.current).toBeNull();
});

it("is found in what was selected before the text came", () => {
  const { result } = selected();
  select();
  settle();
  expect(result.current).toBeNull();
  act(() => text.arrive());
  settle();
  expect(result.current).toBe(PASSAGE);
});

it("is found in what was selected before there was a reader", () => {
  text.arrive();
  const { result, rerender } = selected(null);
  select();
  settle();
  rerender(text);
  settle();
  expect(result.current).toBe(PASSAGE);
});
