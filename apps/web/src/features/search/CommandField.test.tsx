import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import type { SearchResult } from "../../api/search";
import { UserProvider } from "../../shared/session";
import { readyMedia } from "../../testMedia";
import { CommandField } from "./CommandField";
import { addRecent, readRecent } from "./recentSearches";

const FRAGMENT = "00000000-0000-4000-8000-00000000000a";
const USER = { id: "u", email: "a@example.org" } as never;

function passage(title: string, text: string): SearchResult {
  return {
    type: "passage",
    media: readyMedia({ id: title, title }),
    ...{ fragment_id: FRAGMENT, start_offset: 3, end_offset: 9, highlight_id: null },
    snippet: { text, hits: [[0, 4]] },
  };
}

/** The requests for results that wait, by their query, and how they ended. */
let asked: { q: string; answer: (results: SearchResult[]) => void; cancelled: boolean }[];
let refusal: object | null;

beforeEach(() => {
  localStorage.clear();
  asked = [];
  refusal = null;
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    const url = new URL(path, "http://nexus.test");
    if (url.pathname === "/api/libraries") {
      return Response.json({ data: { libraries: [{ id: "l1", name: "Essays" }] } });
    }
    if (url.pathname === "/api/tags") {
      return Response.json({ data: { tags: [{ name: "sea birds", count: 2 }] } });
    }
    if (refusal) return Response.json({ error: refusal }, { status: 400 });
    return new Promise<Response>((resolve, reject) => {
      const one = {
        q: url.searchParams.get("q") ?? "",
        cancelled: false,
        answer: (results: SearchResult[]) =>
          resolve(Response.json({ data: { results, next_cursor: null } })),
      };
      asked.push(one);
      init.signal?.addEventListener("abort", () => {
        one.cancelled = true;
        reject(init.signal?.reason);
      });
    });
  });
});

function open() {
  const { hook, history } = memoryLocation({ path: "/", record: true });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <UserProvider value={USER}>
        <Router hook={hook}>
          <CommandField onClose={onClose} />
        </Router>
      </UserProvider>
    </QueryClientProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>("combobox", { hidden: true });
  return { user: userEvent.setup(), field, history, onClose };
}

const options = () => screen.queryAllByRole("option", { hidden: true });
const named = (words: string) => options().find((one) => one.textContent?.includes(words));
const status = () => screen.getByRole("status", { hidden: true }).textContent;

it("shows what the last query finds, and cancels what was asked before", async () => {
  const { user, field } = open();
  await user.type(field, "ti");
  await waitFor(() => expect(asked.map(({ q }) => q)).toEqual(["ti"]));
  await user.type(field, "de");
  await waitFor(() => expect(asked.map(({ q }) => q)).toEqual(["ti", "tide"]));
  expect(asked[0]?.cancelled).toBe(true);
  expect(status()).toBe("Searching…");
  asked[1]?.answer([passage("Of tides", "tide and time")]);
  await waitFor(() => expect(named("Of tides")).toBeTruthy());
  expect(status()).toBe("1 result");
  const [mark] = within(named("Of tides") as HTMLElement).getAllByText("tide");
  expect(mark?.tagName).toBe("MARK");
});

it("goes through the options by the arrows, and opens one at its passage", async () => {
  const { user, field, history, onClose } = open();
  await user.type(field, "tide");
  await waitFor(() => expect(asked).toHaveLength(1));
  asked[0]?.answer([passage("One", "tide one"), passage("Two", "tide two")]);
  await waitFor(() => expect(named("Two")).toBeTruthy());
  expect(field.getAttribute("aria-activedescendant")).toBeNull();
  await user.keyboard("{ArrowUp}");
  const active = named("Two");
  expect(active?.getAttribute("aria-selected")).toBe("true");
  expect(field.getAttribute("aria-activedescendant")).toBe(active?.id);
  await user.keyboard("{ArrowDown}");
  expect(field.getAttribute("aria-activedescendant")).toBeNull();
  await user.keyboard("{ArrowUp}{ArrowUp}{Enter}");
  expect(onClose).toHaveBeenCalledOnce();
  expect(history?.at(-1)).toBe(`/read/One?at=${FRAGMENT}.3-9`);
  expect(readRecent("u")).toEqual(["tide"]);
});

it("opens all results with Enter, whether some are here yet or not", async () => {
  const { user, field, history } = open();
  await user.type(field, "ebb & flow{Enter}");
  expect(history?.at(-1)).toBe("/search?q=ebb%20%26%20flow");
});

it("opens a new tab with Ctrl and Enter, and stays", async () => {
  const tab = vi.spyOn(window, "open").mockReturnValue(null);
  const { user, field, history, onClose } = open();
  await user.type(field, "tide{Control>}{Enter}{/Control}");
  expect(tab).toHaveBeenCalledWith("/search?q=tide", "_blank", "noopener");
  expect(onClose).not.toHaveBeenCalled();
  expect(history).toEqual(["/"]);
  tab.mockRestore();
});

it("leads to libraries, tags and views by their names", async () => {
  const { user, field, history } = open();
  await waitFor(() => expect(named("Essays")).toBeTruthy());
  await user.type(field, "bird");
  await waitFor(() => expect(named("sea birds")).toBeTruthy());
  await user.click(named("sea birds") as HTMLElement);
  expect(history?.at(-1)).toBe("/tags/sea%20birds");
});

it("offers recent searches, which can be used again and removed", async () => {
  for (const query of ["moon", "tide"]) addRecent("u", query);
  const { user, field } = open();
  await user.keyboard("{ArrowDown}");
  expect(named("tide")?.getAttribute("aria-selected")).toBe("true");
  await user.keyboard("{Delete}");
  expect(readRecent("u")).toEqual(["moon"]);
  expect(named("moon")?.getAttribute("aria-selected")).toBe("true");
  await user.keyboard("{Enter}");
  expect(field.value).toBe("moon");
});

it("completes a filter, and says what is wrong with one", async () => {
  refusal = { code: "E_SEARCH_INVALID", message: "“is:” has no value “odd”." };
  const { user, field } = open();
  await user.type(field, "is:fav");
  await waitFor(() => expect(named("is:favourite")).toBeTruthy());
  await user.click(named("is:favourite") as HTMLElement);
  expect(field.value).toBe("is:favourite ");
  await user.clear(field);
  await user.type(field, "is:odd x");
  await waitFor(() => expect(status()).toBe("“is:” has no value “odd”."));
  expect(field.getAttribute("aria-invalid")).toBe("true");
});
