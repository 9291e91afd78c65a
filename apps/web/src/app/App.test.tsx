import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { App } from "./App";
import { createQueryClient } from "./queryClient";

const ADA = { id: "u1", email: "ada@example.org" };
const PASSWORD = "correct horse battery";
const NO_MATCH = "This e-mail address and password do not match an account.";

const library = (id: string, name: string, is_default = false) => ({
  id,
  name,
  is_default,
  role: "admin",
  owner_user_id: ADA.id,
  media_count: 0,
  created_at: "2026-11-01T00:00:00Z",
  updated_at: "2026-11-01T00:00:00Z",
});

/** A server small enough to read here, which keeps the contract the app relies on. */
class Server {
  signedIn = false;
  accounts = 1;
  broken = false;
  libraries = [library("l2", "Essays"), library("l1", "My Library", true)];
  calls: string[] = [];

  answer = async (path: string, init: RequestInit): Promise<Response> => {
    const call = `${init.method} ${path}`;
    this.calls.push(call);
    const body = init.body ? JSON.parse(String(init.body)) : {};
    if (call === "GET /auth/config") return ok({ signup: "open", first_account: !this.accounts });
    if (call === "POST /auth/login") {
      if (body.password !== PASSWORD) return refuse(401, "E_INVALID_CREDENTIALS", NO_MATCH);
      this.signedIn = true;
      return ok({ user: ADA });
    }
    if (!this.signedIn) return refuse(401, "E_UNAUTHENTICATED");
    if (call === "GET /auth/session") return ok({ user: ADA, signup: "open" });
    if (call === "POST /auth/logout") {
      this.signedIn = false;
      return new Response(null, { status: 204 });
    }
    if (call === "GET /auth/tokens") return ok({ tokens: [] });
    if (this.broken) return refuse(500, "E_INTERNAL");
    if (call === "GET /api/libraries") return ok({ libraries: this.libraries, next_cursor: null });
    if (call === "POST /api/libraries") {
      const made = library("l3", body.name);
      this.libraries.push(made);
      return ok(made, 201);
    }
    if (call === "GET /api/tags") return ok({ tags: [] });
    if (path.startsWith("/api/media?")) return ok({ media: [], next_cursor: null });
    return refuse(404, "E_NOT_FOUND");
  };
}

/** A stream of changes that never tells any. */
class SilentSource extends EventTarget {
  close() {}
}

const ok = (data: unknown, status = 200) => Response.json({ data }, { status });
const refuse = (status: number, code: string, message = code) =>
  Response.json({ error: { code, message, request_id: "r1" } }, { status });

let server: Server;

function open(place: string) {
  window.history.replaceState(null, "", place);
  vi.stubGlobal("fetch", server.answer);
  vi.stubGlobal("EventSource", SilentSource);
  // Wide enough for the sidebar; the drawer needs a real browser.
  vi.stubGlobal("matchMedia", () => ({
    matches: true,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <App />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const place = () => window.location.pathname + window.location.search + window.location.hash;

async function signIn(user: ReturnType<typeof userEvent.setup>, password = PASSWORD) {
  await user.type(await screen.findByLabelText("E-mail"), ADA.email);
  await user.type(screen.getByLabelText("Password"), password);
  await user.click(screen.getByRole("button", { name: "Sign in" }));
}

beforeEach(() => {
  server = new Server();
});

it("sends a visitor to sign in, and back to where they wanted to go", async () => {
  const user = open("/libraries/l2?from=mail#end");
  await heading("Welcome back");
  expect(place()).toBe("/login?next=%2Flibraries%2Fl2%3Ffrom%3Dmail%23end");
  await signIn(user);
  await heading("Essays");
  expect(place()).toBe("/libraries/l2?from=mail#end");
});

it("shows a refused sign-in in the form and keeps what was typed", async () => {
  const user = open("/login");
  await signIn(user, "wrong wrong wrong");
  expect((await screen.findByRole("alert")).textContent).toBe(NO_MATCH);
  expect(screen.getByLabelText<HTMLInputElement>("E-mail").value).toBe(ADA.email);
});

it("asks to sign in again when the session ends, then carries on at the same place", async () => {
  server.signedIn = true;
  const user = open("/libraries/l2");
  await heading("Essays");
  server.signedIn = false;
  await user.click(screen.getByRole("button", { name: "New library" }));
  await user.type(screen.getByLabelText("Name of the new library"), "Poems{Enter}");
  await screen.findByText(/Your session has ended/);
  expect(place()).toBe("/login?next=%2Flibraries%2Fl2");
  await signIn(user);
  await heading("Essays");
});

it("does not come back to the old place after signing out on purpose", async () => {
  server.signedIn = true;
  const user = open("/libraries/l2");
  await heading("Essays");
  await user.click(screen.getByRole("button", { name: "Sign out" }));
  await heading("Welcome back");
  expect(place()).toBe("/login");
  expect(screen.queryByText(/Your session has ended/)).toBeNull();
});

it("welcomes the first visitor of a new server with the first account", async () => {
  server.accounts = 0;
  open("/");
  await heading("Welcome to Nexus");
  expect(screen.getByRole("button", { name: "Create the first account" })).toBeTruthy();
  expect(place()).toBe("/signup");
});

it("shows the inbox at /, and the default library first in the sidebar", async () => {
  server.signedIn = true;
  open("/");
  await heading("Inbox");
  await screen.findByRole("heading", { name: "Your shelf is ready" });
  expect(place()).toBe("/");
  const navigation = screen.getByRole("navigation", { name: "Libraries" });
  await within(navigation).findByText("Essays");
  expect([...navigation.querySelectorAll("a")].map((link) => link.textContent)).toEqual([
    "My Library0 items",
    "Essays0 items",
  ]);
  const here = screen.getByRole("link", { name: "Inbox" });
  expect(here.getAttribute("aria-current")).toBe("page");
});

it("leads from where libraries once were to where they are", async () => {
  server.signedIn = true;
  open("/library/l2?kind=pdf#end");
  await heading("Essays");
  expect(place()).toBe("/libraries/l2?kind=pdf#end");
});

it("creates a library in place and opens it; a bad name never leaves the page", async () => {
  server.signedIn = true;
  const user = open("/libraries/l1");
  await heading("My Library");
  await user.click(screen.getByRole("button", { name: "New library" }));
  await user.type(screen.getByLabelText("Name of the new library"), "   {Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe("Give it a name.");
  expect(server.calls).not.toContain("POST /api/libraries");
  await user.type(screen.getByLabelText("Name of the new library"), " Poems {Enter}");
  await heading("Poems");
  await waitFor(() => expect(document.title).toBe("Poems · Nexus"));
  expect(place()).toBe("/libraries/l3");
});

it.each([
  ["/libraries/nope", "Library not found"],
  ["/nowhere", "Page not found"],
  ["/libraries", "Page not found"],
])("says so when %s leads nowhere", async (address, words) => {
  server.signedIn = true;
  open(address);
  await heading(words);
  expect(document.title).toBe("Not found · Nexus");
});

it("offers to try again when the server fails, and shows the view once it works", async () => {
  server.signedIn = true;
  server.broken = true;
  const user = open("/libraries/l1");
  await heading("This could not be loaded");
  expect(screen.getByText("Request r1")).toBeTruthy();
  server.broken = false;
  await user.click(within(screen.getByRole("main")).getByRole("button", { name: "Try again" }));
  await heading("My Library");
});
