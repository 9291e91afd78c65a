import { renderHook } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import type { ReadingText } from "../text/readingText";
import { useJumps } from "./useJumps";

/** A text whose links come with their chapter. */
function opened() {
  const root = document.createElement("section");
  root.tabIndex = -1;
  document.body.replaceChildren(root);
  const listeners = new Set<() => void>();
  const links: HTMLAnchorElement[] = [];
  const text = {
    root,
    scrollTo: () => undefined,
    linksNear: () => links,
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as ReadingText;
  renderHook(() => useJumps(text, null));
  const come = () => {
    const link = document.createElement("a");
    link.href = "#offset-1-2";
    root.append(link);
    links.push(link);
    for (const listener of [...listeners]) listener();
    return link;
  };
  return { root, come };
}

function goBack(): void {
  window.history.replaceState({ place: { offset: 5, top: 72, link: 1 } }, "");
  window.dispatchEvent(new Event("popstate"));
}

beforeEach(() => window.history.replaceState(null, ""));

it("gives focus to the link one came from once its chapter is loaded again", () => {
  const { root, come } = opened();
  goBack();
  expect(document.activeElement).toBe(root);
  come();
  expect(document.activeElement).toBe(root);
  const link = come();
  expect(document.activeElement).toBe(link);
  root.focus();
  come();
  expect(document.activeElement).toBe(root);
});

it("leaves focus where it is once the person did something", () => {
  const { root, come } = opened();
  goBack();
  window.dispatchEvent(new Event("keydown"));
  come();
  come();
  expect(document.activeElement).toBe(root);
});
