import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Route, Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { itemQuery } from "../items/queries";
import { ReaderPage } from "./ReaderPage";

vi.mock("./Reader", () => ({ Reader: () => <p>the article</p> }));
vi.mock("./NotReady", () => ({ NotReady: () => <p>not ready</p> }));

const MEDIA = "/api/media/m1";
const ALL = [MEDIA, `${MEDIA}/fragments`, `${MEDIA}/position`, `${MEDIA}/highlights`];

const item = (can_read: boolean) => ({
  id: "m1",
  kind: "web_article",
  title: "An essay",
  capabilities: { can_read },
});

/** Requests that wait for their response, by their path. */
let asked: [string, (data: unknown) => void][];
let client: QueryClient;

beforeEach(() => {
  asked = [];
  client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });
  vi.stubGlobal("fetch", (path: string) => {
    return new Promise<Response>((resolve) => {
      asked.push([path, (data) => resolve(Response.json({ data }))]);
    });
  });
});

afterEach(() => {
  cleanup();
  client.clear();
  vi.unstubAllGlobals();
});

const paths = () => asked.map(([path]) => path);

function open(): void {
  const { hook } = memoryLocation({ path: "/read/m1", static: true });
  render(
    <QueryClientProvider client={client}>
      <Router hook={hook}>
        <Route path="/read/:mediaId" component={ReaderPage} />
      </Router>
    </QueryClientProvider>,
  );
}

/** Answers everything that was asked so far. */
async function answer(responses: Record<string, unknown>): Promise<void> {
  for (const [path, respond] of asked.splice(0)) respond(responses[path]);
  await act(() => new Promise((resolve) => setTimeout(resolve)));
}

it("asks for all an article needs at once, before anything has arrived", async () => {
  open();
  expect(paths().sort()).toEqual([...ALL].sort());
  await answer({
    [MEDIA]: item(true),
    [`${MEDIA}/fragments`]: { fragments: [{ id: "f1" }] },
    [`${MEDIA}/position`]: null,
    [`${MEDIA}/highlights`]: { highlights: [] },
  });
  expect(await screen.findByText("the article")).toBeTruthy();
  expect(paths()).toEqual([]);
});

it("does not wait for the highlights to show the text", async () => {
  open();
  const highlights = asked.find(([path]) => path.endsWith("/highlights"));
  asked = asked.filter((one) => one !== highlights);
  await answer({
    [MEDIA]: item(true),
    [`${MEDIA}/fragments`]: { fragments: [{ id: "f1" }] },
    [`${MEDIA}/position`]: null,
  });
  expect(await screen.findByText("the article")).toBeTruthy();
});

it("asks again for the text of an item that becomes ready", async () => {
  open();
  await answer({
    [MEDIA]: item(false),
    [`${MEDIA}/fragments`]: { fragments: [] },
    [`${MEDIA}/position`]: null,
    [`${MEDIA}/highlights`]: { highlights: [] },
  });
  expect(await screen.findByText("not ready")).toBeTruthy();
  client.setQueryData(itemQuery("m1").queryKey, item(true) as never);
  expect(await screen.findByText("Loading the article")).toBeTruthy();
  expect(paths()).toEqual([`${MEDIA}/fragments`]);
  await answer({ [`${MEDIA}/fragments`]: { fragments: [{ id: "f1" }] } });
  expect(await screen.findByText("the article")).toBeTruthy();
});

it("asks for no text where there is known to be none", () => {
  client.setQueryData(itemQuery("m1").queryKey, item(false) as never);
  open();
  expect(screen.getByText("not ready")).toBeTruthy();
  expect(paths()).toEqual([]);
});
