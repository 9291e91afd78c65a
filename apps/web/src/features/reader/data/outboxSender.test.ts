// @vitest-environment happy-dom
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Highlight } from "../../../api/highlights";
import { currentToasts, dismissToast } from "../../../ui/toasts";
import { HighlightActions } from "./highlightActions";
import { OutboxSender } from "./outboxSender";
import { highlightsQuery } from "./queries";

const body = (start: number, color: Highlight["color"] = "green") => ({
  start_offset: start,
  end_offset: start + 5,
  exact: `words at ${start}`,
  prefix: "",
  suffix: "",
  color,
});

/** A server that keeps highlights. It can be out of reach, fail, or lose its responses. */
class Server {
  list: Highlight[] = [];
  reachable = true;
  losing = false;
  slow = false;
  failing: RegExp | null = null;
  gone = false;
  user = "u1";
  log: string[] = [];
  readonly deleted = new Set<string>();

  fetch = async (path: string, init: RequestInit): Promise<Response> => {
    if (!this.reachable) throw new TypeError("Failed to fetch");
    const method = init.method ?? "GET";
    this.log.push(`${method} ${path}`);
    if (this.failing?.test(path)) return this.error(503, "E_UNAVAILABLE");
    const response = this.respond(method, path, JSON.parse(String(init.body ?? "null")) as never);
    if (this.slow && method === "GET" && path.startsWith("/api/media")) {
      await new Promise((resolve, reject) => {
        setTimeout(resolve, 1_000);
        init.signal?.addEventListener("abort", reject);
      });
    }
    if (this.losing && method !== "GET") throw new TypeError("Failed to fetch");
    return response;
  };

  private respond(method: string, path: string, sent: never): Response {
    if (path === "/auth/session") return Response.json({ data: { user: { id: this.user } } });
    const id = /^\/api\/highlights\/([^/]+)/.exec(path)?.[1];
    if (this.gone) return this.error(404, "E_NOT_FOUND");
    if (method === "GET") return Response.json({ data: { highlights: this.list } });
    if (!id) return this.create(sent);
    const one = this.list.find((known) => known.id === id);
    if (!one) return this.error(404, "E_NOT_FOUND");
    if (path.endsWith("/annotation")) {
      one.annotation = {
        ...{ id: "a1", highlight_id: id, created_at: "t" },
        body: (sent as { body: string }).body,
        updated_at: "t",
      };
      return Response.json({ data: one.annotation });
    }
    if (method === "DELETE") {
      this.list = this.list.filter((known) => known !== one);
      this.deleted.add(id);
      return new Response(null, { status: 204 });
    }
    Object.assign(one, sent);
    return Response.json({ data: one });
  }

  private create(sent: ReturnType<typeof body> & { id: string }): Response {
    const there = this.list.find(({ id }) => id === sent.id);
    if (this.deleted.has(sent.id) || (there && there.color !== sent.color)) {
      return this.error(409, "E_HIGHLIGHT_ID_CONFLICT");
    }
    if (there) return Response.json({ data: there });
    if (this.list.some(({ start_offset }) => start_offset === sent.start_offset)) {
      return this.error(409, "E_HIGHLIGHT_CONFLICT");
    }
    return Response.json({ data: this.keep(sent) }, { status: 201 });
  }

  /** What another device created. */
  keep(sent: ReturnType<typeof body> & { id: string }): Highlight {
    const times = { created_at: "2026-11-01T00:00:00Z", updated_at: "2026-11-01T00:00:00Z" };
    const one = {
      ...sent,
      fragment_id: "f1",
      ...times,
      annotation: null,
      page: null,
      end_page: null,
    };
    this.list.push(one);
    return one;
  }

  private error(status: number, code: string): Response {
    return Response.json({ error: { code, message: "No.", request_id: "r" } }, { status });
  }
}

let server: Server;
let client: QueryClient;
let sender: OutboxSender;
let stop: () => void;

/** A page of the person, opened now. */
function open(): HighlightActions {
  client = new QueryClient();
  client.setQueryData(highlightsQuery("m1").queryKey, structuredClone(server.list));
  sender = new OutboxSender(client, "u1");
  stop = sender.start();
  return new HighlightActions(client, "m1", sender);
}

const shown = (actions: HighlightActions) =>
  actions
    .view(client.getQueryData(highlightsQuery("m1").queryKey) ?? [], sender.snapshot())
    .map(({ id, color, waiting }) => [id, color, waiting]);
const find = (actions: HighlightActions, index = 0) => {
  const list: Highlight[] = client.getQueryData(highlightsQuery("m1").queryKey) ?? [];
  const one = actions.view(list, sender.snapshot())[index];
  if (!one) throw new Error("there is no such highlight");
  return one;
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  localStorage.clear();
  for (const { id } of currentToasts()) dismissToast(id);
  vi.useFakeTimers();
  server = new Server();
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => server.fetch(path, init));
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("sends at once what can be sent, and never calls it waiting", async () => {
  const actions = open();
  const id = actions.create("f1", body(0));
  expect(shown(actions)).toEqual([[id, "green", false]]);
  expect(find(actions).pending).toBe(true);
  await pass(0);
  expect(shown(actions)).toEqual([[id, "green", false]]);
  expect(find(actions).pending).toBe(false);
  expect(sender.outbox.waiting()).toEqual([]);
});

it("keeps what cannot be sent, in order, and sends it on a later visit", async () => {
  const actions = open();
  server.reachable = false;
  const first = actions.create("f1", body(0));
  actions.update(find(actions), { color: "pink" });
  const second = actions.create("f1", body(10));
  await pass(0);
  expect(shown(actions).map(([, color, waiting]) => [color, waiting])).toEqual([
    ["pink", true],
    ["green", true],
  ]);
  stop();
  server.reachable = true;
  const later = open();
  await pass(0);
  expect(server.list.map(({ color }) => color)).toEqual(["pink", "green"]);
  expect(shown(later)).toEqual([
    [first, "pink", false],
    [second, "green", false],
  ]);
});

it("creates a highlight once whose confirmation was lost", async () => {
  const actions = open();
  server.losing = true;
  const id = actions.create("f1", body(0));
  await pass(0);
  expect(server.list).toHaveLength(1);
  server.losing = false;
  await pass(60_000);
  expect(server.list).toHaveLength(1);
  expect(shown(actions)).toEqual([[id, "green", false]]);
  expect(currentToasts()).toEqual([]);
});

it("takes a highlight whose confirmation was lost as another device changed it", async () => {
  const actions = open();
  server.losing = true;
  const id = actions.create("f1", body(0));
  await pass(0);
  for (const one of server.list) one.color = "purple";
  server.losing = false;
  await pass(60_000);
  expect(server.list).toHaveLength(1);
  expect(shown(actions)).toEqual([[id, "purple", false]]);
  expect(currentToasts()).toEqual([]);
});

it("does not bring back a highlight that another device deleted meanwhile", async () => {
  const actions = open();
  server.losing = true;
  const id = actions.create("f1", body(0)) ?? "";
  await pass(0);
  server.list = [];
  server.deleted.add(id);
  server.losing = false;
  await pass(60_000);
  expect(server.list).toEqual([]);
  expect(shown(actions)).toEqual([]);
  expect(currentToasts()[0]?.text).toContain("“words at 0” was not saved.");
});

it("adopts the highlight of a device that was faster, with all that waits for its own", async () => {
  const actions = open();
  server.reachable = false;
  const id = actions.create("f1", body(0)) ?? "";
  actions.update(find(actions), { color: "pink" });
  sender.drafts.write(id, { body: "a note", base: null });
  await pass(0);
  server.keep({ ...body(0, "blue"), id: "h1" });
  const adopted: string[][] = [];
  const stopListening = actions.onAdopt((...ids) => adopted.push(ids));
  server.reachable = true;
  await pass(60_000);
  stopListening();
  expect(adopted).toEqual([[id, "h1"]]);
  expect(server.list).toHaveLength(1);
  expect(server.list[0]?.annotation?.body).toBe("a note");
  expect(shown(actions)).toEqual([["h1", "pink", false]]);
  expect(sender.outbox.waiting()).toEqual([]);
  expect(currentToasts()).toEqual([]);
});

it("deletes the highlight of a device that was faster", async () => {
  const actions = open();
  server.losing = true;
  actions.create("f1", body(0));
  await pass(0);
  server.list = [];
  server.keep({ ...body(0), id: "h1" });
  actions.remove(find(actions));
  server.losing = false;
  await pass(60_000);
  expect(server.list).toEqual([]);
  expect(shown(actions)).toEqual([]);
});

it("leaves the draft to the adopted highlight when that has a note of its own", async () => {
  const actions = open();
  server.reachable = false;
  const id = actions.create("f1", body(0)) ?? "";
  sender.drafts.write(id, { body: "mine", base: null });
  await pass(0);
  const theirs = server.keep({ ...body(0), id: "h1" });
  const times = { created_at: "t", updated_at: "t" };
  theirs.annotation = { id: "a1", highlight_id: "h1", body: "theirs", ...times };
  server.reachable = true;
  await pass(60_000);
  expect(server.list[0]?.annotation?.body).toBe("theirs");
  expect([sender.drafts.read(id), sender.drafts.read("h1")?.body]).toEqual([null, "mine"]);
});

it("deletes a highlight whose confirmation was lost", async () => {
  const actions = open();
  server.losing = true;
  actions.create("f1", body(0));
  await pass(0);
  actions.remove(find(actions));
  server.losing = false;
  await pass(60_000);
  expect(server.list).toEqual([]);
  expect(shown(actions)).toEqual([]);
});

it("sends the note of a waiting highlight right after it", async () => {
  const actions = open();
  server.reachable = false;
  const id = actions.create("f1", body(0)) ?? "";
  await expect(actions.saveNote(id, "a note")).rejects.toThrow();
  sender.drafts.write(id, { body: "a note", base: null });
  server.reachable = true;
  await pass(60_000);
  expect(server.list[0]?.annotation?.body).toBe("a note");
  expect(find(actions).annotation?.body).toBe("a note");
  expect(sender.drafts.read(id)).toBeNull();
});

it("lets one article's failure delay no other article", async () => {
  const actions = open();
  const others = new HighlightActions(client, "m2", sender);
  server.failing = /fragments\/f1/;
  actions.create("f1", body(0));
  actions.create("f1", body(10));
  others.create("f2", body(20));
  await pass(0);
  expect(server.list.map(({ exact }) => exact)).toEqual(["words at 20"]);
  server.failing = null;
  await pass(60_000);
  expect(server.list).toHaveLength(3);
});

it("tells what was refused for good, and takes it back with what hung on it", async () => {
  const actions = open();
  server.reachable = false;
  const id = actions.create("f1", body(0)) ?? "";
  actions.update(find(actions), { color: "pink" });
  sender.drafts.write(id, { body: "precious words", base: null });
  server.reachable = true;
  server.gone = true;
  await pass(60_000);
  const [toast, ...more] = currentToasts();
  expect(more).toEqual([]);
  expect(toast?.text).toContain("“words at 0” was not saved. The article is gone");
  expect(toast?.text).toContain("precious words");
  expect(shown(actions)).toEqual([]);
  expect(sender.outbox.waiting()).toEqual([]);
});

it("waits between attempts, not longer than it must, where only changes do not get through", async () => {
  const actions = open();
  server.losing = true;
  actions.create("f1", body(0));
  await pass(5_000);
  expect(server.log.filter((line) => line.startsWith("POST"))).toHaveLength(2);
  // Each of these is a sign that the server is back, and brings no change through either.
  for (let i = 0; i < 9; i += 1) {
    window.dispatchEvent(new Event("focus"));
    await pass(0);
  }
  server.losing = false;
  server.log = [];
  await pass(4_000);
  expect(server.log.filter((line) => line.startsWith("POST"))).toHaveLength(1);
  expect(sender.outbox.waiting()).toEqual([]);
});

it("sends nothing in the name of another person", async () => {
  const actions = open();
  server.reachable = false;
  actions.create("f1", body(0));
  await pass(0);
  server.reachable = true;
  server.user = "u2";
  await pass(60_000);
  expect(server.log.filter((line) => line.startsWith("POST"))).toEqual([]);
  expect(sender.outbox.waiting()).toHaveLength(1);
});

it("undoes a deletion, sent or not", async () => {
  const actions = open();
  const id = actions.create("f1", body(0));
  await pass(0);
  server.reachable = false;
  actions.remove(find(actions));
  expect(shown(actions)).toEqual([]);
  currentToasts()[0]?.action?.run();
  expect(shown(actions)).toEqual([[id, "green", false]]);
});

it.each([false, true])("undoes the deletion of what waits; sent before: %s", async (sent) => {
  const actions = open();
  server.losing = sent;
  server.reachable = sent;
  if (!sent) actions.create("f1", body(10));
  const id = actions.create("f1", body(0));
  await pass(0);
  actions.remove(find(actions));
  expect(shown(actions).map(([one]) => one)).not.toContain(id);
  currentToasts()[0]?.action?.run();
  expect(shown(actions)[0]?.[0]).toBe(id);
  server.losing = false;
  server.reachable = true;
  await pass(60_000);
  expect(shown(actions)[0]).toEqual([id, "green", false]);
  expect(server.list.filter((one) => one.id === id)).toHaveLength(1);
});

it("shows what was sent until a list that is still loading has it", async () => {
  server.reachable = false;
  const id = open().create("f1", body(0));
  stop();
  server.reachable = true;
  // The page is opened again: its list arrives only after the highlight was sent.
  server.slow = true;
  client = new QueryClient();
  sender = new OutboxSender(client, "u1");
  const actions = new HighlightActions(client, "m1", sender);
  const counts = new Set<number>();
  const look = () => counts.add(shown(actions).length);
  const stopLooking = [
    new QueryObserver(client, highlightsQuery("m1")).subscribe(look),
    sender.subscribe(look),
  ];
  stop = sender.start();
  await pass(5_000);
  for (const stopOne of stopLooking) stopOne();
  expect(server.log.filter((line) => line.startsWith("POST"))).toHaveLength(1);
  expect(shown(actions)).toEqual([[id, "green", false]]);
  expect([...counts]).toEqual([1]);
});

it("keeps what was refused to somebody else who just signed in here", async () => {
  const actions = open();
  // The session changed hands after the last look at it: to its new owner the article is not there.
  server.user = "u2";
  server.gone = true;
  actions.create("f1", body(0));
  await pass(5_000);
  expect(server.log.filter((line) => line.startsWith("POST"))).toHaveLength(1);
  expect(currentToasts()).toEqual([]);
  expect(sender.snapshot().changes).toHaveLength(1);
});
