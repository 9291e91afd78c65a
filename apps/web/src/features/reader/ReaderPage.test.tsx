import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Route, Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { itemQuery } from "../items/queries";
import { fragmentsQuery, highlightsQuery } from "./data/queries";
import { ReaderPage } from "./ReaderPage";

vi.mock("./Reader", () => ({ Reader: () => <p>the article</p> }));
vi.mock("./NotReady", () => ({ NotReady: () => <p>not ready</p> }));

const MEDIA = "/api/media/m1";
const OPENING = `${MEDIA}/reading`;
const TEXT = { id: "f1" };

const opening = (can_read: boolean, more: object = {}) => ({
  media: item(can_read),
  fragment: can_read ? TEXT : null,
  outline: null,
  file: null,
  highlights: [],
  position: null,
  preferences: null,
  ...more,
});

const item = (can_read: boolean) => ({
  id: "m1",
  kind: "web_article",
  title: "An essay",
  capabilities: { can_read },
});

/** Requests that wait for their response or failure, by their path. */
let asked: [string, (data: unknown) => void, () => void][];
let client: QueryClient;

beforeEach(() => {
  asked = [];
  client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });
  vi.stubGlobal("fetch", (path: string) => {
    return new Promise<Response>((resolve, reject) => {
      const respond = (data: unknown) => resolve(Response.json({ data }));
      asked.push([path, respond, () => reject(new TypeError("offline"))]);
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
  await settle();
}

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve)));

it("opens an article with one request", async () => {
  open();
  expect(paths()).toEqual([OPENING]);
  await answer({ [OPENING]: opening(true) });
  expect(await screen.findByText("the article")).toBeTruthy();
  expect(paths()).toEqual([]);
  expect(client.getQueryData(highlightsQuery("m1").queryKey)).toEqual([]);
});

it("asks for each part by itself when that request fails", async () => {
  open();
  for (const [, , fail] of asked.splice(0)) fail();
  await settle();
  // The queries of the app try again; those of this test are told to.
  void client.refetchQueries({ predicate: ({ queryKey }) => queryKey[2] !== "opening" });
  await settle();
  const parts = [MEDIA, `${MEDIA}/fragments?limit=1`, `${MEDIA}/highlights`, `${MEDIA}/position`];
  expect(paths().sort()).toEqual(parts);
});

it("asks again for the text of an item that becomes ready", async () => {
  open();
  await answer({ [OPENING]: opening(false) });
  expect(await screen.findByText("not ready")).toBeTruthy();
  client.setQueryData(itemQuery("m1").queryKey, item(true) as never);
  expect(await screen.findByText("Loading the article")).toBeTruthy();
  expect(paths()).toEqual([`${MEDIA}/fragments?limit=1`]);
  await answer({ [`${MEDIA}/fragments?limit=1`]: { fragments: [TEXT] } });
  expect(await screen.findByText("the article")).toBeTruthy();
});

it("does not ask for a text that it has", async () => {
  client.setQueryData(fragmentsQuery("m1").queryKey, [TEXT] as never);
  open();
  expect(paths()).toEqual([`${OPENING}?text=false`]);
  await answer({ [`${OPENING}?text=false`]: opening(true, { fragment: null }) });
  expect(await screen.findByText("the article")).toBeTruthy();
  expect(paths()).toEqual([]);
});

it("takes what is known from before for the first moment only", async () => {
  open();
  await answer({ [OPENING]: opening(true) });
  void client.refetchQueries({ queryKey: highlightsQuery("m1").queryKey });
  await settle();
  expect(paths()).toEqual([`${MEDIA}/highlights`]);
});
