import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useOpened } from "./useOpened";

const asked: string[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    asked.push(`${init.method} ${path}`);
    return new Response(null, { status: 204 });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function show(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}

function Item({ id }: { id: string | null }) {
  useOpened(id);
  return null;
}

function shown(id: string | null) {
  return (
    <QueryClientProvider client={client}>
      <Item id={id} />
    </QueryClientProvider>
  );
}

const client = new QueryClient();

it("tells once that an item is opened", () => {
  show("visible");
  const { rerender } = render(shown("m1"));
  rerender(shown("m1"));
  show("visible");
  expect(asked).toEqual(["POST /api/media/m1/opened"]);
});

it("waits until the tab is looked at, and until the item can be opened", () => {
  show("hidden");
  const { rerender } = render(shown(null));
  rerender(shown("m1"));
  expect(asked).toEqual([]);
  show("visible");
  expect(asked).toEqual(["POST /api/media/m1/opened"]);
});
